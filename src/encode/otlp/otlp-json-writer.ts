import type { AnyValue } from '../../record/any-value.ts'
import type { LogRecord } from '../../record/record.ts'
import type { InstrumentationSource } from '../../record/instrumentation-source.ts'
import type { SpanContext } from '../../record/span.ts'
import type { Rules } from '../../values/record-rules.ts'
import { fitOtlpJson } from './fit-otlp-json.ts'
import type { OtlpFragments, OtlpWriter } from './otlp-target.ts'
import { OtlpJsonWalk, otlpJsonMember } from './otlp-json-walk.ts'
import { nanosText } from './otlp-time.ts'
import { escapeWellFormed, flattenString, quoteWellFormed, utf8Length } from '../json/quote.ts'
import { RecurringMessages } from '../json/recurring-messages.ts'
import type { Walk } from '../walk/walk.ts'

/** The text around a record. */
export interface OtlpFrame {
  /** The text before the brace that opens the record. */
  readonly opening: string
  /** Returns the text after the fields of a record; it begins with the brace that closes the record. */
  closing(source: InstrumentationSource): string
}

/** Writes records as OTLP/JSON. */
export class OtlpJsonWriter implements OtlpWriter {
  readonly separator = ','
  private readonly frame: OtlpFrame
  private headTime = NaN
  private headLevel = ''
  private headSeverity = 0
  private headText = ''
  /** The head, followed by the text up to the content of a body that is a string. */
  private headToBody = ''
  private readonly messages = new RecurringMessages(escapeWellFormed)
  private span: SpanContext | undefined
  private spanText = ''

  constructor(frame: OtlpFrame) {
    this.frame = frame
  }

  createWalk({ limits, redaction }: Rules): Walk<string, string, string> {
    return new OtlpJsonWalk(limits, redaction.patterns)
  }

  keyValue(key: string, value: AnyValue): string {
    return otlpJsonMember(key, value)
  }

  write(record: LogRecord, { message, body, attributes, droppedAttributes }: OtlpFragments): string {
    let text = this.head(record)
    // The common case is built from few pieces, because each concatenation costs about 15 ns.
    if (message !== undefined) text = this.withMessage(message, attributes === '' ? '"}' : '"},"attributes":[')
    else {
      if (body !== undefined) text += ',"body":' + body
      if (attributes !== '') text += ',"attributes":['
    }
    let following = ''
    if (attributes !== '') {
      text += attributes
      following = ']'
    }
    if (droppedAttributes > 0) following += ',"droppedAttributesCount":' + droppedAttributes
    if (record.span !== undefined) following += this.trace(record.span)
    if (record.eventName !== undefined) following += ',"eventName":' + quoteWellFormed(record.eventName)
    return text + (following + this.frame.closing(record.bound))
  }

  fit(text: string, maxBytes: number): string {
    // A text that surely fits is not parsed: a UTF-16 unit takes at most three bytes, and a record has fewer bytes in protobuf than in
    // JSON.
    if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text
    return fitOtlpJson(text, this.frame.opening.length, maxBytes)
  }

  /** Returns the head, the message as the body, and the text that follows it. */
  private withMessage(message: string, following: string): string {
    const known = this.messages.get(message)
    return known === undefined
      ? this.headToBody + escapeWellFormed(message) + following
      : known.surroundedBy(this.headToBody, following)
  }

  /** Returns the head of a record: the opening of the frame, the times and the severity. Many consecutive records have the same head. */
  private head(record: LogRecord): string {
    const { time, level, severity, exactTimes } = record
    // The name of a level does not determine the number, because one encoder may serve several loggers with different levels.
    const isKnown = time === this.headTime && level === this.headLevel && severity === this.headSeverity
    if (isKnown && exactTimes === undefined) return this.headText
    const nanos = nanosText(time, exactTimes?.nanos)
    const observed = exactTimes?.observedNanos ?? nanos
    const fields: string[] = []
    if (nanos !== undefined) fields.push('"timeUnixNano":"' + nanos + '"')
    if (observed !== undefined) fields.push('"observedTimeUnixNano":"' + observed + '"')
    // The head has at least one field, so that all later fields may begin with a comma.
    if (severity !== 0 || fields.length === 0) fields.push('"severityNumber":' + severity)
    if (level !== '') fields.push('"severityText":' + quoteWellFormed(level))
    // The head of a record with its own exact times is not reused.
    this.headTime = exactTimes === undefined ? time : NaN
    this.headLevel = level
    this.headSeverity = severity
    const head = this.frame.opening + '{' + fields.join()
    const toBody = head + ',"body":{"stringValue":"'
    this.headText = exactTimes === undefined ? flattenString(head) : head
    this.headToBody = exactTimes === undefined ? flattenString(toBody) : toBody
    return this.headText
  }

  private trace(span: SpanContext): string {
    if (span === this.span) return this.spanText
    const { traceId, spanId, traceFlags } = span
    this.spanText = flattenString(
      ',"flags":' + (traceFlags & 0xff) + ',"traceId":"' + traceId + '","spanId":"' + spanId + '"',
    )
    this.span = span
    return this.spanText
  }
}
