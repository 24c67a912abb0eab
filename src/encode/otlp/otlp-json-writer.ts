import type { AnyValue } from '../../record/any-value.ts'
import type { LogRecord, InstrumentationSource } from '../../record/record.ts'
import type { SpanContext } from '../../record/span.ts'
import type { Rules } from '../../values/record-rules.ts'
import { fitOtlpJson } from './fit-otlp-json.ts'
import type { OtlpParts, OtlpWriter } from './otlp-target.ts'
import { OtlpJsonWalk, otlpJsonMember } from './otlp-json-walk.ts'
import { nanosText } from './otlp-time.ts'
import { escapeWellFormed, flat, quoteWellFormed, utf8Length } from '../json/quote.ts'
import { RecurringMessages } from '../json/recurring-messages.ts'
import type { Walk } from '../walk/walk.ts'

/** What stands around a record. */
export interface OtlpFrame {
  readonly opening: string
  /** Begins with the brace that closes the record. */
  closing(source: InstrumentationSource): string
}

/** Writes records as OTLP/JSON (JS1 to JS9). */
export class OtlpJsonWriter implements OtlpWriter {
  readonly comma = ','
  private readonly frame: OtlpFrame
  private headTime = NaN
  private headLevel = ''
  private headSeverity = 0
  private headText = ''
  /** The same up to the text of the body. */
  private headToBody = ''
  private readonly messages = new RecurringMessages(escapeWellFormed)
  private span: SpanContext | undefined
  private spanText = ''

  constructor(frame: OtlpFrame) {
    this.frame = frame
  }

  walk({ limits, redaction }: Rules): Walk<string, string, string> {
    return new OtlpJsonWalk(limits, redaction.patterns)
  }

  member(key: string, value: AnyValue): string {
    return otlpJsonMember(key, value)
  }

  write(record: LogRecord, { message, body, attributes, droppedAttributes }: OtlpParts): string {
    let text = this.head(record)
    // The usual record in few pieces: each concatenation costs some 15 ns.
    if (message !== undefined) text = this.withMessage(message, attributes === '' ? '"}' : '"},"attributes":[')
    else {
      if (body !== undefined) text += ',"body":' + body
      if (attributes !== '') text += ',"attributes":['
    }
    let behind = ''
    if (attributes !== '') {
      text += attributes
      behind = ']'
    }
    if (droppedAttributes > 0) behind += ',"droppedAttributesCount":' + droppedAttributes
    if (record.span !== undefined) behind += this.trace(record.span)
    if (record.eventName !== undefined) behind += ',"eventName":' + quoteWellFormed(record.eventName)
    return text + (behind + this.frame.closing(record.bound))
  }

  fit(text: string, maxBytes: number): string {
    // A character takes three bytes at most. In protobuf a record has fewer bytes than in JSON.
    if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text
    return fitOtlpJson(text, this.frame.opening.length, maxBytes)
  }

  /** The head, the message, and what is behind it. */
  private withMessage(message: string, behind: string): string {
    const known = this.messages.get(message)
    return known === undefined
      ? this.headToBody + escapeWellFormed(message) + behind
      : known.between(this.headToBody, behind)
  }

  /** Times and severity, which are the same for many records in a row. */
  private head(record: LogRecord): string {
    const { time, level, severity, exact } = record
    // A name alone does not tell the number: one encoder may serve several families.
    const isKnown = time === this.headTime && level === this.headLevel && severity === this.headSeverity
    if (isKnown && exact === undefined) return this.headText
    const nanos = nanosText(time, exact?.nanos)
    const observed = exact?.observed ?? nanos
    const fields: string[] = []
    if (nanos !== undefined) fields.push('"timeUnixNano":"' + nanos + '"')
    if (observed !== undefined) fields.push('"observedTimeUnixNano":"' + observed + '"')
    // Something stands first, so that all else may begin with a comma.
    if (severity !== 0 || fields.length === 0) fields.push('"severityNumber":' + severity)
    if (level !== '') fields.push('"severityText":' + quoteWellFormed(level))
    // What has times of its own is no head of another record.
    this.headTime = exact === undefined ? time : NaN
    this.headLevel = level
    this.headSeverity = severity
    const head = this.frame.opening + '{' + fields.join()
    const toBody = head + ',"body":{"stringValue":"'
    this.headText = exact === undefined ? flat(head) : head
    this.headToBody = exact === undefined ? flat(toBody) : toBody
    return this.headText
  }

  private trace(span: SpanContext): string {
    if (span === this.span) return this.spanText
    const { traceId, spanId, traceFlags } = span
    this.span = span
    this.spanText = flat(',"flags":' + (traceFlags & 0xff) + ',"traceId":"' + traceId + '","spanId":"' + spanId + '"')
    return this.spanText
  }
}
