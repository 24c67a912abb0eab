import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { emptyMap, maxDepth } from '../../read/formats/json-values.ts'
import { fixed64Tag, lengthTag, varintTag, type ProtoReader } from './proto-reader.ts'

// The fields of opentelemetry/proto/common/v1/common.proto.
const stringTag = lengthTag(1)
const boolTag = varintTag(2)
const intTag = varintTag(3)
const doubleTag = fixed64Tag(4)
const arrayTag = lengthTag(5)
const mapTag = lengthTag(6)
const bytesTag = lengthTag(7)
const keyTag = lengthTag(1)
const valueTag = lengthTag(2)
/** The items of `ArrayValue` and `KeyValueList`. */
const itemTag = lengthTag(1)

/** The text in place of a value that is nested too deeply. */
export const nestedText = '[Object: nested too deeply]'

/** Reads an `AnyValue`. Values that are nested too deeply are replaced by a text. */
export function readAnyValue(reader: ProtoReader, end: number, depth = 1): AnyValue {
  let value: AnyValue = null
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === stringTag) value = reader.textTo(reader.endOfField(end))
    else if (tag === intTag) value = integerOf(reader.int64())
    else if (tag === boolTag) value = reader.bool()
    else if (tag === doubleTag) value = reader.double()
    else if (tag === bytesTag) value = reader.bytesTo(reader.endOfField(end))
    else if (tag === arrayTag || tag === mapTag) value = readContainer(reader, tag, reader.endOfField(end), depth)
    else reader.skipField(tag, end)
  }
  return value
}

/** Reads a `KeyValue` into a map. A key that occurs again has its last value. */
export function readKeyValue(reader: ProtoReader, end: number, map: Map<string, AnyValue>, depth = 1): void {
  let key = ''
  let value: AnyValue = null
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === keyTag) key = reader.textTo(reader.endOfField(end))
    else if (tag === valueTag) value = readAnyValue(reader, reader.endOfField(end), depth)
    else reader.skipField(tag, end)
  }
  map.set(key, value)
}

function readContainer(reader: ProtoReader, tag: number, end: number, depth: number): AnyValue {
  if (depth <= maxDepth)
    return tag === arrayTag ? readArray(reader, end, depth + 1) : readKeyValueList(reader, end, depth + 1)
  reader.pos = end
  return nestedText
}

function readArray(reader: ProtoReader, end: number, depth: number): readonly AnyValue[] {
  const items: AnyValue[] = []
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === itemTag) items.push(readAnyValue(reader, reader.endOfField(end), depth))
    else reader.skipField(tag, end)
  }
  return items
}

function readKeyValueList(reader: ProtoReader, end: number, depth: number): AnyValueMap {
  if (reader.pos === end) return emptyMap
  const map = new Map<string, AnyValue>()
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === itemTag) readKeyValue(reader, reader.endOfField(end), map, depth)
    else reader.skipField(tag, end)
  }
  return map
}

function integerOf(value: bigint | string): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}
