import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { emptyMap } from '../../read/formats/json-values.ts'
import { readKeyValue } from './any-value.ts'
import { lengthTag, ProtoReader } from './proto-reader.ts'

const resourceAttributeTag = lengthTag(1)
const scopeNameTag = lengthTag(1)
const scopeVersionTag = lengthTag(2)

/** Reads the attributes of a `Resource` of OTLP. */
export function readResource(bytes: Buffer): AnyValueMap {
  const reader = new ProtoReader(bytes)
  const attributes = new Map<string, AnyValue>()
  while (reader.pos < bytes.length) {
    const tag = reader.uint32()
    if (tag === resourceAttributeTag) readKeyValue(reader, reader.endOfField(bytes.length), attributes)
    else reader.skipField(tag, bytes.length)
  }
  return attributes.size === 0 ? emptyMap : attributes
}

/** Reads the name and the version of an `InstrumentationScope` of OTLP. */
export function readScope(bytes: Buffer): { readonly name: string | undefined; readonly version: string | undefined } {
  const reader = new ProtoReader(bytes)
  let name = ''
  let version = ''
  while (reader.pos < bytes.length) {
    const tag = reader.uint32()
    if (tag === scopeNameTag) name = reader.textTo(reader.endOfField(bytes.length))
    else if (tag === scopeVersionTag) version = reader.textTo(reader.endOfField(bytes.length))
    else reader.skipField(tag, bytes.length)
  }
  return { name: name || undefined, version: version || undefined }
}
