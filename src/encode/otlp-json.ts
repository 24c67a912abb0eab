import type { AnyValueMap } from '../record/any-value.ts'
import type { Bound, LogRecord, Resource, Scope } from '../record/record.ts'
import type { SpanContext } from '../record/span.ts'
import type { Rules } from '../rules/rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder } from './encoding.ts'
import { fitRecord } from './fit-record.ts'
import { OtlpJsonWalk, otlpJsonMembers } from './otlp-json-walk.ts'
import { nanosText } from './otlp-time.ts'
import { plainRules } from './plain.ts'
import { clashes } from './prefix.ts'
import { flat, literal, quote, utf8Length } from './quote.ts'
import { RecordWalk, showsValues } from './record-walk.ts'
import { resolveRecord } from './resolve.ts'

/**
 * The lines of the OpenTelemetry File Exporter (FIL1): each is a whole `{"resourceLogs":[…]}` with one record, so that a line
 * stays as short as can be (FIL6, FIL7). The record stands in front: what is at the beginning of a file tells it from another
 * (FIL6).
 */
export function otlpJsonLines(): Encoding {
  const format: Format = { key: 'otlpJson', encoder: (rules) => new OtlpLineEncoder(rules) }
  return format
}

const opening = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{'

class OtlpLineEncoder implements RecordEncoder {
  private readonly rules: Rules
  private readonly record: RecordWalk<string, string, string>
  private busy = false
  private headTime = NaN
  private headLevel = ''
  private headText = ''
  private span: SpanContext | undefined
  private spanText = ''

  constructor(rules: Rules) {
    this.rules = rules
    this.record = new RecordWalk(new OtlpJsonWalk(rules.limits), rules)
  }

  encode(record: LogRecord): EncodedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.busy) return new OtlpLineEncoder(this.rules).encode(record)
    this.busy = true
    try {
      const line = showsValues(record) ? plainLine(resolveRecord(record, this.rules)) : this.lineOf(record)
      const { recordBytes } = this.rules.limits
      // A character takes three bytes at most.
      const fits = line.length * 3 <= recordBytes || utf8Length(line) <= recordBytes
      return (fits ? line : fitRecord(record, this.rules, recordBytes, plainLine)) as EncodedRecord
    } finally {
      this.busy = false
    }
  }

  lineOf(record: LogRecord): string {
    this.record.read(record)
    const { attributes, message, structured } = this.record
    const envelope = envelopeOf(record.bound, this)
    const alone =
      envelope.members.length === 0 || (attributes.omitted === undefined && !clashes(record.bound, attributes.leaf))
    const before = alone ? envelope.text : textWithout(envelope, (key) => attributes.says(key))
    const own = attributes.object
    const all = own === '' || before === '' ? before + own : before + ',' + own
    const dropped = attributes.dropped + record.droppedAttributes
    let line = this.head(record)
    if (structured !== undefined) line += ',"body":' + structured
    else if (message !== undefined) line += ',"body":{"stringValue":' + quote(message) + '}'
    if (all !== '') line += ',"attributes":[' + all + ']'
    if (dropped > 0) line += ',"droppedAttributesCount":' + dropped
    if (record.span !== undefined) line += this.trace(record.span)
    if (record.eventName !== undefined) line += ',"eventName":' + quote(record.eventName)
    return line + envelope.close
  }

  /** Times and severity, which are the same for many records in a row. */
  private head(record: LogRecord): string {
    const { time, level, exact } = record
    if (exact === undefined && time === this.headTime && level === this.headLevel) return this.headText
    const nanos = nanosText(time, exact?.nanos)
    const observed = exact?.observed ?? nanos
    const fields: string[] = []
    if (nanos !== undefined) fields.push('"timeUnixNano":"' + nanos + '"')
    if (observed !== undefined) fields.push('"observedTimeUnixNano":"' + observed + '"')
    if (record.severity !== 0) fields.push('"severityNumber":' + record.severity)
    if (level !== '') fields.push('"severityText":' + quote(level))
    const text = flat(opening + fields.join())
    if (exact === undefined) {
      this.headTime = time
      this.headLevel = level
      this.headText = text
    }
    return text
  }

  private trace(span: SpanContext): string {
    if (span === this.span) return this.spanText
    const { traceId, spanId, traceFlags } = span
    this.span = span
    this.spanText = flat(',"flags":' + (traceFlags & 0xff) + ',"traceId":"' + traceId + '","spanId":"' + spanId + '"')
    return this.spanText
  }
}

let plain: OtlpLineEncoder | undefined

/** The line of a record that holds data only. */
function plainLine(record: LogRecord): string {
  plain ??= new OtlpLineEncoder({ ...plainRules, limits: { ...plainRules.limits, recordBytes: Infinity } })
  return plain.lineOf(record)
}

/** What a bound snapshot says in each of its lines. */
interface Envelope {
  /** The bound attributes, and all of them joined by commas. */
  readonly members: readonly { readonly key: string; readonly text: string }[]
  readonly text: string
  /** From the end of the record to that of the line: scope and resource. */
  readonly close: string
}

/** Rendered once for a snapshot, and kept on it for the encoder that asks. */
function envelopeOf(bound: Bound, encoder: object): Envelope {
  const slot = bound.rendered
  if (slot.by === encoder) return slot.value as Envelope
  const members = Array.from(bound.attributes, ([key, value]) => ({ key, text: otlpJsonMembers([[key, value]]) }))
  const envelope: Envelope = {
    members,
    text: flat(members.map(({ text }) => text).join()),
    close: flat(`}]${scopeText(bound.scope)}}]${resourceText(bound.resource)}}]}\n`),
  }
  slot.by = encoder
  slot.value = envelope
  return envelope
}

function textWithout({ members }: Envelope, said: (key: string) => boolean): string {
  return members
    .filter(({ key }) => !said(key))
    .map(({ text }) => text)
    .join()
}

/** `,"scope":{…},"schemaUrl":"…"`, what there is of it. */
function scopeText({ name, version, schemaUrl, attributes, droppedAttributes = 0 }: Scope): string {
  const fields: string[] = []
  if (name !== undefined && name !== '') fields.push('"name":' + literal(name))
  if (version !== undefined && version !== '') fields.push('"version":' + literal(version))
  if (attributes !== undefined && attributes.size > 0) fields.push(attributesText(attributes))
  if (droppedAttributes > 0) fields.push('"droppedAttributesCount":' + droppedAttributes)
  return `,"scope":{${fields.join()}}${schemaText(schemaUrl)}`
}

function resourceText({ attributes, schemaUrl }: Resource): string {
  const resource = attributes.size === 0 ? '' : attributesText(attributes)
  return `,"resource":{${resource}}${schemaText(schemaUrl)}`
}

const attributesText = (attributes: AnyValueMap): string => `"attributes":[${otlpJsonMembers(attributes)}]`

const schemaText = (url: string | undefined): string =>
  url === undefined || url === '' ? '' : ',"schemaUrl":' + literal(url)
