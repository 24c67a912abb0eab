import type { AnyValue } from '../../record/any-value.ts'
import type { LogRecord } from '../../record/record.ts'
import type { SpanContext } from '../../record/span.ts'
import type { Rules } from '../../values/record-rules.ts'
import { fitOtlpProtobuf } from './fit-otlp-protobuf.ts'
import type { OtlpParts, OtlpWriter } from './otlp-target.ts'
import { OtlpProtobufWalk, protobufMember, textValue } from './otlp-protobuf-walk.ts'
import { nanosText } from './otlp-time.ts'
import { bytesField, prefixes, fixed32, fixed64, hexBytes, utf8, varint } from './protobuf.ts'
import { flat } from '../json/quote.ts'
import { RecurringMessages } from '../json/recurring-messages.ts'
import type { Walk } from '../walk/walk.ts'

/** The tags of a LogRecord's fields: number and wire type (opentelemetry-proto, logs.proto). */
const tag = {
  time: '\x09',
  severityNumber: '\x10',
  severityText: '\x1a',
  body: '\x2a',
  droppedAttributes: '\x38',
  flags: '\x45',
  traceId: '\x4a',
  spanId: '\x52',
  observedTime: '\x59',
  eventName: '\x62',
}

/** The tag of a LogRecord as a field of a ScopeLogs. */
export const recordTag = '\x12'

/** Returns a body that is a string. The tags and lengths of a short one are read from a table. */
function bodyOf(message: string): string {
  const text = utf8(message)
  return text.length < shortText ? textTags[text.length]! + text : bytesField(tag.body, textValue(text))
}

const shortText = 125
const textTags = prefixes((length) => tag.body + varint(length + 2) + '\x0a' + varint(length))
const bodyTags = prefixes((length) => tag.body + varint(length))

const openings: (string | undefined)[] = Array<undefined>(1_024).fill(undefined)

/** Returns the tag and the length of a record. Those of short records are cached. */
function recordOpening(length: number): string {
  if (length >= openings.length) return recordTag + varint(length)
  return (openings[length] ??= flat(recordTag + varint(length)))
}

/** Writes records as fields of a ScopeLogs message. */
export class OtlpProtobufWriter implements OtlpWriter {
  readonly comma = ''
  private headTime = NaN
  private headLevel = ''
  private headSeverity = 0
  private headText = ''
  private readonly messages = new RecurringMessages(bodyOf)
  private span: SpanContext | undefined
  private spanText = ''

  walk({ limits, redaction }: Rules): Walk<string, string, string> {
    return new OtlpProtobufWalk(limits, redaction.patterns)
  }

  member(key: string, value: AnyValue): string {
    return protobufMember(key, value)
  }

  write(record: LogRecord, { message, body, attributes, droppedAttributes }: OtlpParts): string {
    const head = this.head(record)
    let text = message === undefined ? head : this.withMessage(head, message)
    if (body !== undefined) text += body.length < 128 ? bodyTags[body.length]! + body : bytesField(tag.body, body)
    text += attributes
    if (droppedAttributes > 0) text += tag.droppedAttributes + varint(droppedAttributes)
    if (record.span !== undefined) text += this.trace(record.span)
    if (record.eventName !== undefined) text += bytesField(tag.eventName, utf8(record.eventName))
    return recordOpening(text.length) + text
  }

  fit(text: string, maxBytes: number): string {
    return text.length <= maxBytes ? text : fitOtlpProtobuf(text, maxBytes)
  }

  private withMessage(head: string, message: string): string {
    const known = this.messages.get(message)
    return known === undefined ? head + bodyOf(message) : known.after(head)
  }

  /** Returns the times and the severity, which are the same for many consecutive records. */
  private head(record: LogRecord): string {
    const { time, level, severity, exact } = record
    const isKnown = time === this.headTime && level === this.headLevel && severity === this.headSeverity
    if (isKnown && exact === undefined) return this.headText
    const nanos = nanosText(time, exact?.nanos)
    const observed = exact?.observed ?? nanos
    let text = ''
    if (nanos !== undefined) text += tag.time + fixed64(nanos)
    if (severity !== 0) text += tag.severityNumber + varint(severity)
    if (level !== '') text += bytesField(tag.severityText, utf8(level))
    if (observed !== undefined) text += tag.observedTime + fixed64(observed)
    text = flat(text)
    if (exact === undefined) {
      this.headTime = time
      this.headLevel = level
      this.headSeverity = severity
      this.headText = text
    }
    return text
  }

  private trace(span: SpanContext): string {
    if (span === this.span) return this.spanText
    this.span = span
    this.spanText = flat(
      tag.flags +
        fixed32(span.traceFlags & 0xff) +
        bytesField(tag.traceId, hexBytes(span.traceId)) +
        bytesField(tag.spanId, hexBytes(span.spanId)),
    )
    return this.spanText
  }
}
