import { plainText } from '../../encode/plain-data.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../../read/record.ts'
import type { ResponseWriter } from './response-writer.ts'
import { levelClasses, levelClassOf } from '../views/level-classes.ts'

/** Writes records as a page without scripts, which can be opened and shared as a file. */
export class HtmlOutput {
  private readonly writer: ResponseWriter

  constructor(writer: ResponseWriter, count: number) {
    this.writer = writer
    writer.write(`${head}<h1>${count.toLocaleString('en-US')} records</h1>\n`)
  }

  record(record: ReadRecord): void {
    const { time, level, severityNumber, body, scope, traceId } = record
    const message = body === undefined ? (record.eventName ?? '') : plainText(body)
    const when = time === undefined ? '' : new Date(time).toISOString()
    const service = record.resource.get('service.name')
    this.writer.write(
      `<details class="${levelClasses[levelClassOf(severityNumber)]}"><summary><time>${when}</time> <b>${escaped(level)}</b> ` +
        `<i>${escaped(typeof service === 'string' ? service : '')}</i> <span>${escaped(message)}</span></summary>` +
        list(record.attributes, 'Attributes') +
        list(record.resource, 'Resource') +
        `<p>${escaped([scope, traceId].filter((text) => text !== undefined).join(' · '))}</p></details>\n`,
    )
  }

  end(): void {
    this.writer.write('</body></html>\n')
  }
}

function list(map: AnyValueMap, title: string): string {
  if (map.size === 0) return ''
  const rows = Array.from(map, ([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(plainText(value))}</dd>`)
  return `<h2>${title}</h2><dl>${rows.join('')}</dl>`
}

/** Returns text that is nothing but text in HTML, also in a tag. Control characters are not shown by browsers. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const head = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Log records</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root{color-scheme:light dark;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}
body{margin:16px}h1{font-size:16px}h2{margin:6px 0 2px;font-size:12px;opacity:.7}
summary{white-space:pre;overflow:hidden;text-overflow:ellipsis;cursor:pointer}
summary time,summary i{opacity:.65;font-style:normal}details[open]>summary{white-space:pre-wrap}
details>:not(summary){margin-left:22px}dl{display:grid;grid-template-columns:max-content 1fr;gap:0 14px;margin-block:0}
dt{opacity:.7}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.warn b{color:light-dark(#8f5d00,#e3b341)}.error b,.fatal b{color:light-dark(#c6262e,#ff7b72)}.info b{color:light-dark(#1a7f55,#52b788)}
</style></head><body>
`
