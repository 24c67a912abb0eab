import { member, ownCopy } from '../../options/own-members.ts'
import { cutRecord, exceptionType, truncatedKey, truncatedText } from '../json/cut-record.ts'
import type { JsonRecord, JsonValue } from './otlp-json-types.ts'
import { cuttable } from './otlp-part.ts'
import { recordSize, textSize, valueSize } from './otlp-size.ts'
import { jsonOf, utf8Length } from '../json/quote.ts'

/** A way to measure the size of a record. */
interface Measure {
  /** Returns the bytes of the record, of which `text` is the whole text. */
  record(record: JsonRecord, text: string): number
  value(value: JsonValue): number
  text(text: string): number
}

/** Measures records as protobuf, so that both protocols cut them in the same way. */
const asProtobuf: Measure = { record: recordSize, value: valueSize, text: textSize }

/** Measures records as text, so that a line has at most the allowed number of bytes. */
const asText: Measure = {
  record: (_, text) => utf8Length(text),
  value: (value) => utf8Length(jsonOf(value)),
  text: (text) => utf8Length(jsonOf({ stringValue: text })),
}

/**
 * Returns a text that contains an OTLP/JSON record, cut to at most `maxBytes`; the same text if it fits. Works on finished text, so no user
 * code runs and no redacted value reappears.
 *
 * @param from - the position of the record in the text. If it is 0, the text is a single record and is measured as protobuf; otherwise the
 *   text is a line and is measured as text.
 */
export function fitOtlpJson(text: string, from: number, maxBytes: number): string {
  const to = objectEnd(text, from)
  const record = JSON.parse(text.slice(from, to)) as JsonRecord
  const measure = from === 0 ? asProtobuf : asText
  const excess = measure.record(record, text) - maxBytes
  if (excess <= 0) return text
  const { body, attributes = [] } = ownCopy(record)
  const partOf = (value: JsonValue, replace: (text: string) => void) =>
    cuttable({ bytes: measure.value(value), text: member(value, 'stringValue'), replace }, measure.text)
  const fits = cutRecord(
    attributes.map((attribute) => ({
      key: attribute.key,
      ...partOf(attribute.value, (cut) => (attribute.value = { stringValue: cut })),
    })),
    body && partOf(body, (cut) => (record.body = { stringValue: cut })),
    excess,
  )
  if (!fits && attributes.length > 0) withoutAttributes(record, attributes)
  return text.slice(0, from) + jsonOf(record) + text.slice(to)
}

function withoutAttributes(record: JsonRecord, attributes: NonNullable<JsonRecord['attributes']>): void {
  const type = attributes.filter(({ key }) => key === exceptionType)
  const lost = attributes.length - type.length
  record.attributes = [...type, { key: truncatedKey, value: { stringValue: truncatedText(lost) } }]
}

/** Returns the position after the JSON object that begins at `from`. The text was written by this package, so it is valid. */
function objectEnd(text: string, from: number): number {
  let depth = 0
  let at = from
  do {
    const code = text.charCodeAt(at++)
    if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) depth--
    else if (code === 34) {
      while (text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1
      at++
    }
  } while (depth > 0)
  return at
}
