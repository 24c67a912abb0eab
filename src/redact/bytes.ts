import { valueOf } from '../record/value-of.ts'

/** Returns whether a value is the number of a byte. */
export function isByte(item: unknown): item is number {
  return typeof item === 'number' && item >= 0 && item <= 255 && Number.isInteger(item)
}

/**
 * Returns bytes as text in latin1, the character set of HTTP header fields; undefined for a value that is not bytes. A list of byte numbers
 * and the JSON of a Buffer or of another typed array are bytes too. Calls no getter.
 */
export function textOfBytes(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (ArrayBuffer.isView(value))
    return latin1.decode(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice())
  if (isBuffer(value)) return latin1.decode(new Uint8Array(value).slice())
  const list = ownValue(value, 'type') === 'Buffer' ? ownValue(value, 'data') : value
  if (typeof list !== 'object' || list === null || !isByte(ownValue(list, '0'))) return undefined
  const numbers = Array.isArray(list) ? (list as unknown[]) : Object.values(list)
  return numbers.every(isByte) ? latin1.decode(Uint8Array.from(numbers)) : undefined
}

function isBuffer(value: object): value is ArrayBuffer {
  return /^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value))
}

const latin1 = new TextDecoder('latin1')

function ownValue(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? valueOf(object, key) : undefined
}
