import { ownDataValue, ownGetter } from '../record/own-data-value.ts'

/** Returns whether a value is an integer from 0 to 255. */
export function isByte(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 255 && Number.isInteger(value)
}

/**
 * Returns bytes as text in latin1, the character set of HTTP header fields; undefined for a value that is not bytes. Bytes are also an
 * array of integers from 0 to 255, and the JSON of a Buffer (`{ type: 'Buffer', data: [1] }`) or of another typed array (`{ 0: 1 }`),
 * unless the array is empty or an item is a getter: getters of arrays and plain objects are not called, because the walk reads each value
 * once. Never throws.
 */
export function textOfBytes(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    if (ArrayBuffer.isView(value))
      return latin1.decode(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice())
    if (isArrayBuffer(value)) return latin1.decode(new Uint8Array(value).slice())
    const list = ownMember(value, 'type') === 'Buffer' ? ownMember(value, 'data') : value
    const bytes = typeof list === 'object' && list !== null ? listedBytes(list) : []
    return bytes.length > 0 ? latin1.decode(Uint8Array.from(bytes)) : undefined
  } catch {
    return undefined // a proxy threw, or the memory of the bytes was transferred
  }
}

/** Returns the bytes in the members of an object, or in the items of an array; an empty array if one of them is not a byte. */
function listedBytes(list: object): readonly number[] {
  const keys = Array.isArray(list) ? Array.prototype.keys.call(list) : Object.keys(list)
  const bytes: number[] = []
  for (const key of keys) {
    const byte = ownDataValue(list, key)
    if (!isByte(byte)) return []
    bytes.push(byte)
  }
  return bytes
}

/** Returns whether a value is an ArrayBuffer or a SharedArrayBuffer, of any realm. Calls only built-in getters. */
function isArrayBuffer(value: object): value is ArrayBuffer {
  // Most objects have no tag, and the built-in getters are slow when they throw.
  return Symbol.toStringTag in value && lengthGetters.some((getter) => acceptsReceiver(getter, value))
}

function acceptsReceiver(getter: () => unknown, value: object): boolean {
  try {
    getter.call(value)
    return true
  } catch {
    return false
  }
}

// A browser page that is not isolated has no SharedArrayBuffer.
const bufferClasses = typeof SharedArrayBuffer === 'function' ? [ArrayBuffer, SharedArrayBuffer] : [ArrayBuffer]
const lengthGetters = bufferClasses.map(({ prototype }) => ownGetter(prototype, 'byteLength')!)
const latin1 = new TextDecoder('latin1')

function ownMember(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? ownDataValue(object, key) : undefined
}
