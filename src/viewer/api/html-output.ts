import { createHash } from 'node:crypto'
import { plainText } from '../../encode/plain-data.ts'
import type { TextWriter } from '../../output/text-writer.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../../read/record.ts'
import { shownInBlock, shownInLine } from '../page/shown-text.ts'
import { levelClasses, levelClassOf } from '../views/level-classes.ts'
import { shortened } from './row-json.ts'

/** The number of records of a page, so that browsers show it quickly. */
export const maxHtmlRecords = 20_000
/** The length of a page in UTF-16 units, after which records are omitted. */
const maxLength = 20_000_000
const maxValueLength = 20_000
const maxMessageLength = 2_000

/** Writes records as a page without scripts, which can be opened and shared as a file. */
export class HtmlOutput {
  private readonly writer: TextWriter
  private readonly total: number
  private length = 0
  private written = 0

  /** @param total - the number of records of the view; the oldest of them may not be written */
  constructor(writer: TextWriter, total: number) {
    this.writer = writer
    this.total = total
    writer.write(`${head}<h1>${countText(Math.min(total, maxHtmlRecords))} log records</h1>\n`)
    if (total > maxHtmlRecords)
      writer.write(`<p class="note">The ${countText(total - maxHtmlRecords)} older records are not in this file.</p>\n`)
    writer.write('<main>\n')
  }

  record(record: ReadRecord): void {
    if (this.length > maxLength) return
    const text = recordHtml(record)
    this.length += text.length
    this.written++
    this.writer.write(text)
  }

  end(): void {
    const omitted = Math.min(this.total, maxHtmlRecords) - this.written
    const note =
      omitted === 0
        ? ''
        : `<p class="note">${countText(omitted)} more records are not in this file, because it would be too large or they were removed.</p>\n`
    this.writer.write(`</main>\n${note}</body></html>\n`)
  }
}

function recordHtml(record: ReadRecord): string {
  const { time, level, severityNumber, body, eventName, scope, scopeVersion, traceId, spanId } = record
  const message = body === undefined ? (eventName ?? '') : plainText(body)
  const when = time === undefined ? '' : new Date(time).toISOString()
  const service = record.resource.get('service.name')
  const parts: AnyValueMap = new Map(
    Object.entries({ event: eventName, scope, version: scopeVersion, trace: traceId, span: spanId }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value] as const]),
    ),
  )
  const isCut = message.length > maxMessageLength
  return (
    `<details class="${levelClasses[levelClassOf(severityNumber)]}"><summary><time>${when}</time> <b>${inLine(level)}</b> ` +
    `<i>${inLine(typeof service === 'string' ? service : '')}</i> <bdi>${inLine(shortened(message, maxMessageLength))}</bdi></summary>` +
    (isCut ? list(new Map([['body', message]]), 'Body') : '') +
    list(record.attributes, 'Attributes') +
    list(record.resource, 'Resource') +
    list(parts, 'Record') +
    '</details>\n'
  )
}

function list(map: AnyValueMap, title: string): string {
  if (map.size === 0) return ''
  const rows = Array.from(
    map,
    ([name, value]) =>
      `<dt>${inLine(shortened(name, maxMessageLength))}</dt><dd>${inBlock(shortened(plainText(value), maxValueLength))}</dd>`,
  )
  return `<h2>${title}</h2><dl>${rows.join('')}</dl>`
}

function inLine(text: string): string {
  return escaped(plainLine.test(text) ? text : shownInLine(text))
}

/** Texts that contain nothing to replace, which is found faster. */
const plainLine = /^[ -~]*$/
const plainBlock = /^[ -~\n\t]*$/

function inBlock(text: string): string {
  return escaped(plainBlock.test(text) ? text : shownInBlock(text))
}

/** Returns text that is nothing but text in HTML, also in a tag. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function countText(count: number): string {
  return count.toLocaleString('en-US')
}

const style = `
:root{color-scheme:light dark;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;background:light-dark(#fff,#16181d);color:light-dark(#1c2128,#d7dce3)}
body{margin:16px}h1{font-size:16px}h2{margin:6px 0 2px;font-size:12px;color:light-dark(#57606a,#9aa4b0)}
.note{color:light-dark(#57606a,#9aa4b0)}
summary{white-space:pre;overflow:hidden;text-overflow:ellipsis;cursor:pointer;padding:1px 4px}
summary:hover{background:light-dark(#eef1f4,#20242b)}
summary time,summary i{color:light-dark(#57606a,#9aa4b0);font-style:normal}summary i{display:inline-block;max-width:24ch;overflow:hidden;text-overflow:ellipsis;vertical-align:bottom}summary b{display:inline-block;min-width:5ch}
details[open]>summary{white-space:pre-wrap;overflow-wrap:anywhere}
details>:not(summary){margin-left:22px}dl{display:grid;grid-template-columns:minmax(8ch,max-content) 1fr;gap:0 14px;margin-block:0}
dt{color:light-dark(#57606a,#9aa4b0);overflow-wrap:anywhere}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
.warn b{color:light-dark(#8f5d00,#e3b341)}.error b,.fatal b{color:light-dark(#c6262e,#ff7b72)}.info b{color:light-dark(#1a7f55,#52b788)}
`

/** The hash of the only style that a browser uses, so that a value of a record cannot add another one. */
const styleHash = createHash('sha256').update(style).digest('base64')

const head = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Log records</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'sha256-${styleHash}'">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<style>${style}</style></head><body>
`
