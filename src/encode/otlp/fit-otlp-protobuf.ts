import { cutRecord, exceptionType, truncatedKey, truncatedText, type Cuttable } from '../json/cut-record.ts'
import { cuttable } from './otlp-part.ts'
import { textSize } from './otlp-size.ts'
import { protobufMember, textValue } from './otlp-protobuf-walk.ts'
import { bytesField, fieldsOf, utf8, utf8Text, type Field } from './protobuf.ts'

const bodyField = 5
const attributesField = 6
// The fields of a KeyValue (key and value) and of an AnyValue (text).
const keyField = 1
const valueField = 2
const textField = 1

/** Cuts a LogRecord, given as a field of a ScopeLogs message, to at most `maxBytes`. */
export function fitOtlpProtobuf(text: string, maxBytes: number): string {
  const fields = fieldsOf(fieldsOf(text)[0]!.content)
  const attributes = fields.filter(({ number }) => number === attributesField).map(attributeOf)
  const body = fields.find(({ number }) => number === bodyField)
  const fits = cutRecord(
    attributes,
    body && partOf(body, body.content, (value) => bytesField('\x2a', value)),
    // The encoded lengths may become shorter, but never longer.
    text.length - maxBytes,
  )
  const kept = fits || attributes.length === 0 ? fields : withoutAttributes(fields, attributes)
  return bytesField(text[0]!, kept.map((field) => field.text).join(''))
}

interface Attribute extends Cuttable {
  readonly key: string
  readonly field: Field
}

function attributeOf(field: Field): Attribute {
  const parts = fieldsOf(field.content)
  const key = parts.find(({ number }) => number === keyField)!
  const value = parts.find(({ number }) => number === valueField)?.content ?? ''
  const wrap = (cut: string) => bytesField('\x32', key.text + bytesField('\x12', cut))
  return { key: utf8Text(key.content), field, ...partOf(field, value, wrap) }
}

/** Returns the AnyValue `value` of a field as a cuttable part. `wrap` builds the field from a new value. */
function partOf(field: Field, value: string, wrap: (value: string) => string): Cuttable {
  const [first] = value === '' ? [] : fieldsOf(value)
  const text = first?.number === textField ? utf8Text(first.content) : undefined
  const replace = (cut: string) => void (field.text = wrap(textValue(utf8(cut))))
  return cuttable({ bytes: value.length, text, replace }, textSize)
}

function withoutAttributes(fields: readonly Field[], attributes: readonly Attribute[]): Pick<Field, 'text'>[] {
  const type = attributes.filter(({ key }) => key === exceptionType)
  const others = fields.filter(({ number }) => number !== attributesField)
  const marker = protobufMember(truncatedKey, truncatedText(attributes.length - type.length))
  return [...others, ...type.map(({ field }) => field), { text: marker }]
}
