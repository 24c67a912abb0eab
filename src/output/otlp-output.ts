import { otlpJsonMember, otlpJsonValue } from '../encode/otlp/otlp-json-walk.ts'
import { otlpJsonResourceMembers, otlpJsonScopeMembers } from '../encode/otlp/otlp-json-source.ts'
import { quoteWellFormed } from '../encode/json/quote.ts'
import { emptyScopeDetails } from '../record/instrumentation-source.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import type { ReadRecord } from '../read/record.ts'
import type { TextWriter } from './text-writer.ts'
import { KeySelection } from './key-selection.ts'
import { isLongText, writeInPieces, writeLongRecord } from './long-texts.ts'
import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { ResourceWithOrigin } from './resource-with-origin.ts'
import { linesOf, safeOnTerminal } from './text-lines.ts'

/** The maximum number of records of a line. */
const maxRecords = 128
/** The maximum length of the records of a line in UTF-16 units, unless it has one record. */
const maxLineLength = 1_048_576
const maxUint64 = 2n ** 64n - 1n

/**
 * Writes the lines of the OpenTelemetry File Exporter: requests of OTLP/JSON, each with up to 128 consecutive records of one resource and
 * scope. A line of text is a record with only a body.
 */
export class OtlpOutput implements Output {
  private readonly writer: TextWriter
  private readonly isTerminal: boolean
  private readonly selection: KeySelection
  private readonly resources = new ResourceWithOrigin()
  private records: string[] = []
  private recordsLength = 0
  /** The end of the line of the current records: their scope and resource. */
  private closing = ''
  private lastResource: AnyValueMap | undefined
  private lastResourceText = ''

  constructor({ writer, isTerminal, showKeys, hideKeys = [] }: OutputSettings) {
    this.writer = writer
    this.isTerminal = isTerminal
    this.selection = new KeySelection(showKeys, hideKeys)
  }

  record(record: ReadRecord): void {
    const closing = `],${scopeText(record)}}],${this.resourceText(record)}}]}\n`
    const format = (other: ReadRecord): string => this.longLine(this.recordText(other), closing)
    if (!writeLongRecord(this.writer, record, format)) this.add(this.recordText(record), closing)
  }

  text(bytes: Uint8Array): void {
    for (const line of linesOf(bytes)) {
      if (isLongText(line))
        writeInPieces(this.writer, [line], ([text = '']) => this.longLine(bodyRecord(text), textClosing))
      else this.add(bodyRecord(line), textClosing)
    }
  }

  flush(): void {
    this.writeRecords()
    this.writer.flush()
  }

  end(): void {
    this.flush()
  }

  private add(text: string, closing: string): void {
    const isFull = this.records.length >= maxRecords || this.recordsLength + text.length > maxLineLength
    if (isFull || closing !== this.closing) this.writeRecords()
    this.closing = closing
    this.records.push(text)
    this.recordsLength += text.length
  }

  private writeRecords(): void {
    if (this.records.length === 0) return
    const text = this.records.join()
    this.records = []
    this.recordsLength = 0
    this.writer.write(this.lineText(text, this.closing))
  }

  /** Returns the line of one record. The records before it are written first. */
  private longLine(text: string, closing: string): string {
    this.writeRecords()
    return this.lineText(text, closing)
  }

  private lineText(records: string, closing: string): string {
    const line = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}${closing}`
    return this.isTerminal ? `${safeOnTerminal(line.slice(0, -1))}\n` : line
  }

  private recordText(record: ReadRecord): string {
    const { timeUnixNano, severityNumber, severityText, level, body, eventName, traceId, spanId, traceFlags } = record
    const attributes = this.selection.select(record.attributes)
    const name = severityText ?? level
    const fields: string[] = []
    // An OTLP time of 0 means an unknown time.
    if (timeUnixNano !== undefined && timeUnixNano > 0n && timeUnixNano <= maxUint64)
      fields.push(`"timeUnixNano":"${timeUnixNano}","observedTimeUnixNano":"${timeUnixNano}"`)
    if (severityNumber !== 0) fields.push(`"severityNumber":${severityNumber}`)
    if (name !== '') fields.push(`"severityText":${quoteWellFormed(name)}`)
    if (body !== undefined) fields.push(`"body":${otlpJsonValue(body)}`)
    if (attributes.size > 0)
      fields.push(`"attributes":[${Array.from(attributes, ([key, value]) => otlpJsonMember(key, value)).join()}]`)
    if (traceFlags !== undefined) fields.push(`"flags":${traceFlags}`)
    if (traceId !== undefined) fields.push(`"traceId":${quoteWellFormed(traceId)}`)
    if (spanId !== undefined) fields.push(`"spanId":${quoteWellFormed(spanId)}`)
    if (eventName !== undefined) fields.push(`"eventName":${quoteWellFormed(eventName)}`)
    return `{${fields.join()}}`
  }

  private resourceText(record: ReadRecord): string {
    const resource = this.resources.of(record)
    if (resource === this.lastResource) return this.lastResourceText
    this.lastResource = resource
    this.lastResourceText = otlpJsonResourceMembers({
      attributes: resource,
      serviceName: undefined,
      schemaUrl: undefined,
    })
    return this.lastResourceText
  }
}

const textClosing = '],"scope":{}}],"resource":{}}]}\n'

function bodyRecord(text: string): string {
  return `{"body":${otlpJsonValue(text)}}`
}

function scopeText({ scope, scopeVersion }: ReadRecord): string {
  return scope === undefined && scopeVersion === undefined
    ? '"scope":{}'
    : otlpJsonScopeMembers({ ...emptyScopeDetails, name: scope, version: scopeVersion })
}
