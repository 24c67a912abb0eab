import { member, withoutPrototype } from '../../options/own-members.ts'
import { cutRecord, exceptionTypeKey, truncatedKey, removedKeysText } from '../json/cut-record.ts'
import type { JsonRecord, JsonValue } from './otlp-json-types.ts'
import { cuttablePart } from './otlp-part.ts'
import { recordSize, textSize, valueSize } from './otlp-size.ts'
import { jsonOf, utf8Length } from '../json/quote.ts'

/** A way to measure the size of a record. */
interface Measure {
  /** Returns the size of the record in bytes. `text` is the text that contains it. */
  record(record: JsonRecord, text: string): number
  /** Returns the size of a value in bytes. */
  value(value: JsonValue): number
  /** Returns the size, in bytes, of an AnyValue that is a string. */
  text(text: string): number
}

/** Measures records as protobuf, so that a record is cut in the same way for both protocols. */
const asProtobuf: Measure = { record: recordSize, value: valueSize, text: textSize }

/** Measures records as text, so that a line has at most the allowed number of bytes. */
const asText: Measure = {
  record: (_, text) => utf8Length(text),
  value: (value) => utf8Length(jsonOf(value)),
  text: (text) => utf8Length(jsonOf({ stringValue: text })),
}

/**
 * Returns a text that contains an OTLP/JSON record, with the body and attributes cut so that it has at most `maxBytes` if the other fields
 * leave room for that; the same text if it fits. Works on finished text, so no user code runs and no redacted value reappears.
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
  const { body, attributes = [] } = withoutPrototype(record)
  const partOf = (value: JsonValue, replace: (text: string) => void) =>
    cuttablePart({ bytes: measure.value(value), text: member(value, 'stringValue'), replace }, measure.text)
  const fits = cutRecord(
    attributes.map((attribute) => ({
      key: attribute.key,
      ...partOf(attribute.value, (cut) => (attribute.value = { stringValue: cut })),
    })),
    body && partOf(body, (cut) => (record.body = { stringValue: cut })),
    excess,
  )
  if (!fits && attributes.length > 0) replaceAttributes(record, attributes)
  return text.slice(0, from) + jsonOf(record) + text.slice(to)
}

/** Replaces all attributes but the exception's type by a marker that counts them. */
function replaceAttributes(record: JsonRecord, attributes: NonNullable<JsonRecord['attributes']>): void {
  const typeAttributes = attributes.filter(({ key }) => key === exceptionTypeKey)
  const removedCount = attributes.length - typeAttributes.length
  record.attributes = [...typeAttributes, { key: truncatedKey, value: { stringValue: removedKeysText(removedCount) } }]
}

/** Returns the position after the JSON object that begins at `from`. The text was written by this package, so it is valid. */
function objectEnd(text: string, from: number): number {
  let depth = 0
  let at = from
  do {
    const code = text.charCodeAt(at++)
    // 123 and 91 are opening brackets, 125 and 93 closing ones, 34 is a quote and 92 a backslash.
    if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) depth--
    else if (code === 34) {
      while (text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1
      at++
    }
  } while (depth > 0)
  return at
}
