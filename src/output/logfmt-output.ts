import { quote } from '../encode/json/quote.ts'
import { numberText } from '../encode/json/number-text.ts'
import { plainText } from '../encode/plain-data.ts'
import { escapeForTerminal } from '../encode/pretty/visible.ts'
import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { ReadRecord } from '../read/record.ts'
import type { TextWriter } from './text-writer.ts'
import { IsoTime } from './iso-time.ts'
import { KeySelection } from './key-selection.ts'
import { writeLongRecord } from './long-texts.ts'
import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { ResourceWithOrigin } from './resource-with-origin.ts'
import { writeTextLines } from './text-lines.ts'
import { zoneOf } from './zone.ts'

/** Text that is written without quotes. */
const bareText = /^[\w.:/@+%~#?&,;*()|<>{}[\]$!^-]+$/
/** A character that cannot be in a key: a control character, a space, `=` or `"`. */
const invalidInKey = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Z}="]/gu
const validKey = /^[\w.:/@-]+$/
/** The names of attributes can be data, so the cache has a limit. */
const maxCachedKeys = 512

/**
 * Writes each record as a line of `key=value` pairs, and each line of text as one with only `msg`. A text that is not a single word is in
 * quotes, with the escapes of JSON. Objects and lists are JSON in quotes.
 */
export class LogfmtOutput implements Output {
  private readonly writer: TextWriter
  private readonly selection: KeySelection
  private readonly time: IsoTime
  private readonly resources = new ResourceWithOrigin()
  private readonly keys = new Map<string, string>()
  private lastResource: AnyValueMap | undefined
  private lastResourceText = ''

  constructor(settings: OutputSettings) {
    this.writer = settings.writer
    this.selection = new KeySelection(settings.showKeys, settings.hideKeys ?? [])
    this.time = new IsoTime(zoneOf(settings.time))
  }

  record(record: ReadRecord): void {
    const format = (other: ReadRecord): string => `${this.line(other).slice(1)}\n`
    if (!writeLongRecord(this.writer, record, format)) this.writer.write(format(record))
  }

  text(bytes: Uint8Array): void {
    writeTextLines(this.writer, bytes, (line) => `msg=${valueText(line)}\n`)
  }

  flush(): void {
    this.writer.flush()
  }

  end(): void {
    this.writer.flush()
  }

  private line(record: ReadRecord): string {
    const { level, scope, eventName, traceId, spanId, severityNumber } = record
    const message = record.message ?? (record.body === undefined ? undefined : plainText(record.body))
    let line =
      this.field('time', this.time.format(record.time, record.timeUnixNano)) +
      this.field('level', level === '' ? undefined : level)
    if (level === '' && severityNumber !== 0) line += this.field('severity_number', severityNumber)
    line +=
      this.field('msg', message) +
      this.field('trace_id', traceId) +
      this.field('span_id', spanId) +
      this.field('scope', scope) +
      this.field('event', eventName) +
      this.resourceText(record)
    for (const [name, value] of this.selection.select(record.attributes)) line += this.keyText(name) + valueText(value)
    return line
  }

  /** Returns the service and the container, and with `-i` the listed attributes of the resource. */
  private resourceText(record: ReadRecord): string {
    const resource = this.resources.of(record)
    if (resource === this.lastResource) return this.lastResourceText
    let text =
      this.field('service', resource.get('service.name')) + this.field('container', resource.get('container.name'))
    if (this.selection.showsListedOnly)
      for (const [name, value] of this.selection.select(resource)) text += this.keyText(name) + valueText(value)
    this.lastResource = resource
    this.lastResourceText = text
    return text
  }

  private field(key: string, value: AnyValue | undefined): string {
    return value === undefined || this.selection.hides(key) ? '' : ` ${key}=${valueText(value)}`
  }

  /** Returns ` key=`, cached, because most keys occur in many records. */
  private keyText(name: string): string {
    const cached = this.keys.get(name)
    if (cached !== undefined) return cached
    const key = validKey.test(name) ? name : name.replace(invalidInKey, '_')
    const text = ` ${key === '' ? '_' : key}=`
    if (this.keys.size < maxCachedKeys) this.keys.set(name, text)
    return text
  }
}

function valueText(value: AnyValue): string {
  if (typeof value === 'string') return bareText.test(value) ? value : escapeForTerminal(quote(value))
  if (typeof value === 'number') return value - value === 0 ? numberText(value) : String(value)
  if (typeof value === 'boolean' || typeof value === 'bigint' || value === null) return String(value)
  const text = plainText(value)
  return bareText.test(text) ? text : escapeForTerminal(quote(text))
}
