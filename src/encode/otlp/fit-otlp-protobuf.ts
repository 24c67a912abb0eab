import { cutRecord, exceptionTypeKey, truncatedKey, removedKeysText, type Cuttable } from '../json/cut-record.ts'
import { cuttablePart } from './otlp-part.ts'
import { textSize } from './otlp-size.ts'
import { protobufMember, textValue } from './otlp-protobuf-walk.ts'
import { bytesField, fieldsOf, encodeUtf8, decodeUtf8, type Field } from './protobuf.ts'

// The field numbers of a LogRecord.
const bodyFieldNumber = 5
const attributesFieldNumber = 6
// The field numbers of a KeyValue (key and value) and of an AnyValue (text).
const keyFieldNumber = 1
const valueFieldNumber = 2
const textFieldNumber = 1
// The tags of these fields: the field number and the wire type.
const bodyTag = '\x2a'
const attributesTag = '\x32'
const valueTag = '\x12'

/**
 * Cuts the body and attributes of a LogRecord, given as a field of a ScopeLogs message, so that it has at most `maxBytes` if the other
 * fields leave room for that.
 */
export function fitOtlpProtobuf(text: string, maxBytes: number): string {
  const fields = fieldsOf(fieldsOf(text)[0]!.content)
  const attributes = fields.filter(({ number }) => number === attributesFieldNumber).map(attributeOf)
  const body = fields.find(({ number }) => number === bodyFieldNumber)
  const fits = cutRecord(
    attributes,
    body && partOf(body, body.content, (value) => bytesField(bodyTag, value)),
    // Cutting the values by this many bytes suffices, because the lengths before them are never encoded in more bytes than before.
    text.length - maxBytes,
  )
  const kept = fits || attributes.length === 0 ? fields : withMarkerForAttributes(fields, attributes)
  return bytesField(text[0]!, kept.map((field) => field.text).join(''))
}

interface Attribute extends Cuttable {
  readonly key: string
  readonly field: Field
}

function attributeOf(field: Field): Attribute {
  const parts = fieldsOf(field.content)
  const key = parts.find(({ number }) => number === keyFieldNumber)!
  const value = parts.find(({ number }) => number === valueFieldNumber)?.content ?? ''
  const wrap = (newValue: string) => bytesField(attributesTag, key.text + bytesField(valueTag, newValue))
  return { key: decodeUtf8(key.content), field, ...partOf(field, value, wrap) }
}

/** Returns the AnyValue `value` of a field as a cuttable part. `wrap` builds the field from a new value. */
function partOf(field: Field, value: string, wrap: (value: string) => string): Cuttable {
  const [first] = value === '' ? [] : fieldsOf(value)
  const text = first?.number === textFieldNumber ? decodeUtf8(first.content) : undefined
  const replace = (cut: string) => void (field.text = wrap(textValue(encodeUtf8(cut))))
  return cuttablePart({ bytes: value.length, text, replace }, textSize)
}

/** Returns the fields with a marker in place of all attributes but the exception's type. */
function withMarkerForAttributes(fields: readonly Field[], attributes: readonly Attribute[]): Pick<Field, 'text'>[] {
  const typeAttributes = attributes.filter(({ key }) => key === exceptionTypeKey)
  const others = fields.filter(({ number }) => number !== attributesFieldNumber)
  const marker = protobufMember(truncatedKey, removedKeysText(attributes.length - typeAttributes.length))
  return [...others, ...typeAttributes.map(({ field }) => field), { text: marker }]
}
