import type { AnyValueMap } from '../record/any-value.ts'
import type { Bound, LogRecord, Resource, Scope } from '../record/record.ts'
import type { SpanContext } from '../record/span.ts'
import type { Rules } from '../rules/rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder } from './encoding.ts'
import { fitOtlpLine } from './fit-otlp-line.ts'
import { OtlpJsonWalk, otlpJsonMembers } from './otlp-json-walk.ts'
import { nanosText } from './otlp-time.ts'
import { plainRules } from './plain.ts'
import { clashes } from './prefix.ts'
import { flat, literal, quote } from './quote.ts'
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
  private headSeverity = 0
  private headText = ''
  private span: SpanContext | undefined
  private spanText = ''
  private scope: Scope | undefined
  private resource: Resource | undefined
  private closeText = ''

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
      return (line.length * 3 <= recordBytes ? line : fitOtlpLine(line, recordBytes)) as EncodedRecord
    } finally {
      this.busy = false
    }
  }

  lineOf(record: LogRecord): string {
    this.record.read(record)
    const { attributes, message, structured } = this.record
    const bound = boundTextOf(record.bound, this)
    const alone =
      bound.members.length === 0 || (attributes.omitted === undefined && !clashes(record.bound, attributes.leaf))
    const before = alone ? bound.text : textWithout(bound, (key) => attributes.says(key))
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
    return line + this.close(record.bound)
  }

  /** Times and severity, which are the same for many records in a row. */
  private head(record: LogRecord): string {
    const { time, level, severity, exact } = record
    // A name alone does not tell the number: `plainLine` serves all logger families.
    const isKnown = time === this.headTime && level === this.headLevel && severity === this.headSeverity
    if (isKnown && exact === undefined) return this.headText
    const nanos = nanosText(time, exact?.nanos)
    const observed = exact?.observed ?? nanos
    const fields: string[] = []
    if (nanos !== undefined) fields.push('"timeUnixNano":"' + nanos + '"')
    if (observed !== undefined) fields.push('"observedTimeUnixNano":"' + observed + '"')
    if (severity !== 0) fields.push('"severityNumber":' + severity)
    if (level !== '') fields.push('"severityText":' + quote(level))
    const text = flat(opening + fields.join())
    if (exact === undefined) {
      this.headTime = time
      this.headLevel = level
      this.headSeverity = severity
      this.headText = text
    }
    return text
  }

  /** From the end of the record to that of the line. */
  private close({ scope, resource }: Bound): string {
    if (scope !== this.scope || resource !== this.resource) {
      this.scope = scope
      this.resource = resource
      this.closeText = flat(`}]${scopeText(scope)}}]${resourceText(resource)}}]}\n`)
    }
    return this.closeText
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

/** The bound attributes as KeyValues. */
interface BoundText {
  /** Each by itself, and all of them joined by commas. */
  readonly members: readonly { readonly key: string; readonly text: string }[]
  readonly text: string
}

/** Rendered once for a snapshot, and kept on it for the encoder that asks. */
function boundTextOf(bound: Bound, encoder: object): BoundText {
  const slot = bound.rendered
  if (slot.by === encoder) return slot.value as BoundText
  const members = Array.from(bound.attributes, ([key, value]) => ({ key, text: otlpJsonMembers([[key, value]]) }))
  const rendered: BoundText = {
    members,
    text: flat(members.map(({ text }) => text).join()),
  }
  slot.by = encoder
  slot.value = rendered
  return rendered
}

function textWithout({ members }: BoundText, said: (key: string) => boolean): string {
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
