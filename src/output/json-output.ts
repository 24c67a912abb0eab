import { quote } from '../encode/json/quote.ts'
import { dataToJson, jsonText, plainText } from '../encode/plain-data.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import { isStandardLevel, standardSeverities } from '../record/severity.ts'
import type { ReadRecord } from '../read/record.ts'
import type { TextWriter } from './text-writer.ts'
import { IsoTime } from './iso-time.ts'
import { KeySelection } from './key-selection.ts'
import { writeLongRecord } from './long-texts.ts'
import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { safeOnTerminal, writeTextLines } from './text-lines.ts'
import { ResourceWithOrigin } from './resource-with-origin.ts'
import { zoneOf } from './zone.ts'

/** Writes each record as a JSON line in the layout `sluice`, and each line of text as one with only a message. */
export class JsonOutput implements Output {
  private readonly writer: TextWriter
  private readonly isTerminal: boolean
  private readonly selection: KeySelection
  private readonly time: IsoTime
  private readonly resources = new ResourceWithOrigin()
  private readonly originText: (record: ReadRecord) => string
  private lastResource: AnyValueMap | undefined
  private lastResourceText = ''

  constructor(settings: OutputSettings) {
    this.writer = settings.writer
    this.isTerminal = settings.isTerminal
    this.selection = new KeySelection(settings.showKeys, settings.hideKeys ?? [])
    this.time = new IsoTime(zoneOf(settings.time))
    this.originText = (record) => this.scopeText(record) + this.resourceText(record)
  }

  record(record: ReadRecord): void {
    const format = (other: ReadRecord): string => this.lineText(this.line(other))
    if (!writeLongRecord(this.writer, record, format)) this.writer.write(format(record))
  }

  text(bytes: Uint8Array): void {
    writeTextLines(this.writer, bytes, (line) => this.lineText(`{"message":${quote(line)}}`))
  }

  flush(): void {
    this.writer.flush()
  }

  end(): void {
    this.writer.flush()
  }

  private lineText(line: string): string {
    return `${this.isTerminal ? safeOnTerminal(line) : line}\n`
  }

  private line(record: ReadRecord): string {
    const time = this.time.format(record.time, record.timeUnixNano)
    const message = record.message ?? (record.body === undefined ? undefined : plainText(record.body))
    const attributes = this.selection.select(record.attributes)
    let line = ''
    if (time !== undefined && this.shows('timestamp')) line += `,"timestamp":"${time}"`
    line += this.levelText(record)
    if (message !== undefined && this.shows('message')) line += `,"message":${quote(message)}`
    line += this.traceText(record) + this.originText(record)
    if (attributes.size > 0) line += `,"attributes":${jsonText(attributes)}`
    return line === '' ? '{}' : `{${line.slice(1)}}`
  }

  private levelText({ level, severityNumber }: ReadRecord): string {
    let text = level !== '' && this.shows('level') ? `,"level":${quote(level)}` : ''
    const isStandard = isStandardLevel(level) && standardSeverities[level] === severityNumber
    if (!isStandard && severityNumber !== 0 && this.shows('severity_number'))
      text += `,"severity_number":${severityNumber}`
    return text
  }

  private traceText({ traceId, spanId, traceFlags }: ReadRecord): string {
    let text = ''
    if (traceId !== undefined && this.shows('trace_id')) text += `,"trace_id":${quote(traceId)}`
    if (spanId !== undefined && this.shows('span_id')) text += `,"span_id":${quote(spanId)}`
    if (traceFlags !== undefined && this.shows('trace_flags'))
      text += `,"trace_flags":"${(traceFlags & 0xff).toString(16).padStart(2, '0')}"`
    return text
  }

  private scopeText({ scope, scopeVersion, eventName }: ReadRecord): string {
    let text = ''
    if (scope !== undefined && this.shows('otel.scope.name')) text += `,"otel.scope.name":${quote(scope)}`
    if (scopeVersion !== undefined && this.shows('otel.scope.version'))
      text += `,"otel.scope.version":${quote(scopeVersion)}`
    if (eventName !== undefined && this.shows('otel.event.name')) text += `,"otel.event.name":${quote(eventName)}`
    return text
  }

  /** Returns `service.name`, and the member `resource` of the layout `otel` if the resource has other attributes. */
  private resourceText(record: ReadRecord): string {
    const resource = this.resources.of(record)
    if (resource === this.lastResource) return this.lastResourceText
    const service = resource.get('service.name')
    const selected = this.selection.select(resource)
    let text = ''
    if (service !== undefined && this.shows('service.name')) text += `,"service.name":${dataToJson(service)}`
    if (selected.size > (selected.has('service.name') ? 1 : 0)) text += `,"resource":${jsonText(selected)}`
    this.lastResource = resource
    this.lastResourceText = text
    return text
  }

  private shows(name: string): boolean {
    return this.selection.selectsAll || !this.selection.hides(name)
  }
}
