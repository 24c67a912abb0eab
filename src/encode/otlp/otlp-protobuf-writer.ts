import type { AnyValue } from '../../record/any-value.ts'
import type { LogRecord } from '../../record/record.ts'
import type { SpanContext } from '../../record/span.ts'
import type { Rules } from '../../values/record-rules.ts'
import { fitOtlpProtobuf } from './fit-otlp-protobuf.ts'
import type { OtlpFragments, OtlpWriter } from './otlp-target.ts'
import { OtlpProtobufWalk, protobufMember, textValue } from './otlp-protobuf-walk.ts'
import { nanosText } from './otlp-time.ts'
import { bytesField, prefixesByLength, fixed32, fixed64, hexBytes, encodeUtf8, varint } from './protobuf.ts'
import { flattenString } from '../json/quote.ts'
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

/** Returns the field of a body that is a string. The tags and lengths before a short text are read from a table. */
function bodyField(message: string): string {
  const text = encodeUtf8(message)
  return text.length < tableLength ? textBodyPrefixes[text.length]! + text : bytesField(tag.body, textValue(text))
}

/**
 * The table has the prefixes of texts with fewer bytes. The AnyValue of such a text is two bytes longer than the text, and its length is a
 * varint of one byte.
 */
const tableLength = 125
const textBodyPrefixes = prefixesByLength((length) => tag.body + varint(length + 2) + '\x0a' + varint(length))
const bodyPrefixes = prefixesByLength((length) => tag.body + varint(length))

const cachedOpenings: (string | undefined)[] = Array<undefined>(1_024).fill(undefined)

/** Returns the tag and the length of a record. Those of short records are cached. */
function recordOpening(length: number): string {
  if (length >= cachedOpenings.length) return recordTag + varint(length)
  return (cachedOpenings[length] ??= flattenString(recordTag + varint(length)))
}

/** Writes records as fields of a ScopeLogs message. */
export class OtlpProtobufWriter implements OtlpWriter {
  readonly separator = ''
  private headTime = NaN
  private headLevel = ''
  private headSeverity = 0
  private headText = ''
  private readonly messages = new RecurringMessages(bodyField)
  private span: SpanContext | undefined
  private spanText = ''

  createWalk({ limits, redaction }: Rules): Walk<string, string, string> {
    return new OtlpProtobufWalk(limits, redaction.patterns)
  }

  keyValue(key: string, value: AnyValue): string {
    return protobufMember(key, value)
  }

  write(record: LogRecord, { message, body, attributes, droppedAttributes }: OtlpFragments): string {
    const head = this.head(record)
    let text = message === undefined ? head : this.withMessage(head, message)
    if (body !== undefined) text += body.length < 128 ? bodyPrefixes[body.length]! + body : bytesField(tag.body, body)
    text += attributes
    if (droppedAttributes > 0) text += tag.droppedAttributes + varint(droppedAttributes)
    if (record.span !== undefined) text += this.trace(record.span)
    if (record.eventName !== undefined) text += bytesField(tag.eventName, encodeUtf8(record.eventName))
    return recordOpening(text.length) + text
  }

  fit(text: string, maxBytes: number): string {
    return text.length <= maxBytes ? text : fitOtlpProtobuf(text, maxBytes)
  }

  private withMessage(head: string, message: string): string {
    const known = this.messages.get(message)
    return known === undefined ? head + bodyField(message) : known.withPrefix(head)
  }

  /** Returns the times and the severity, which are the same for many consecutive records. */
  private head(record: LogRecord): string {
    const { time, level, severity, exactTimes } = record
    const isKnown = time === this.headTime && level === this.headLevel && severity === this.headSeverity
    if (isKnown && exactTimes === undefined) return this.headText
    const nanos = nanosText(time, exactTimes?.nanos)
    const observed = exactTimes?.observedNanos ?? nanos
    let text = ''
    if (nanos !== undefined) text += tag.time + fixed64(nanos)
    if (severity !== 0) text += tag.severityNumber + varint(severity)
    if (level !== '') text += bytesField(tag.severityText, encodeUtf8(level))
    if (observed !== undefined) text += tag.observedTime + fixed64(observed)
    text = flattenString(text)
    if (exactTimes === undefined) {
      this.headTime = time
      this.headLevel = level
      this.headSeverity = severity
      this.headText = text
    }
    return text
  }

  private trace(span: SpanContext): string {
    if (span === this.span) return this.spanText
    this.spanText = flattenString(
      tag.flags +
        fixed32(span.traceFlags & 0xff) +
        bytesField(tag.traceId, hexBytes(span.traceId)) +
        bytesField(tag.spanId, hexBytes(span.spanId)),
    )
    this.span = span
    return this.spanText
  }
}
