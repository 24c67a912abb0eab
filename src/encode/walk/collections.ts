import { Bytes, Items, Members, type Member } from './members.ts'

const mapForEach = Map.prototype.forEach
const mapSize = getter(Map.prototype, 'size')
const setForEach = Set.prototype.forEach
const setSize = getter(Set.prototype, 'size')
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength')
const viewName = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag)

/** Returns a Map's members if all keys are strings, otherwise its entries; undefined if the value is not a Map. */
export function entriesOf(value: object, limit: number): Members | Items | undefined {
  const size = sizeOf(value, mapSize)
  if (size === undefined) return undefined
  const entries: unknown[][] = []
  let hasStringKeys = true
  mapForEach.call(value as Map<unknown, unknown>, (item: unknown, key: unknown) => {
    hasStringKeys &&= typeof key === 'string'
    if (entries.length < limit) entries.push([key, item])
  })
  if (!hasStringKeys) return new Items(entries, size)
  return new Members(
    (entries as [string, unknown][]).map(([key, item]): Member => ({ key, rule: key, value: item })),
    size,
  )
}

/** Returns a Set's items; undefined if the value is not a Set. */
export function itemsOf(value: object, limit: number): Items | undefined {
  const size = sizeOf(value, setSize)
  if (size === undefined) return undefined
  const items: unknown[] = []
  setForEach.call(value as Set<unknown>, (item: unknown) => {
    if (items.length < limit) items.push(item)
  })
  return new Items(items, size)
}

/** Returns the bytes of an ArrayBuffer or SharedArrayBuffer, or a marker if there are too many; undefined if the value is not one. */
export function bufferOf(value: object, limit: number): Bytes | string | undefined {
  const isShared = typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer
  if (!isShared && sizeOf(value, bufferLength) === undefined) return undefined
  return bytesOf(new Uint8Array(value as ArrayBuffer), limit)
}

/** Returns the bytes of a Uint8Array, a Buffer or a DataView, or a marker if there are too many; the numbers of every other typed array. */
export function viewOf(value: ArrayBufferView, limit: number): Bytes | string | Items {
  // The built-in tag also identifies views of another realm; a DataView has none.
  const name = viewName.call(value)
  if (name === undefined || name === 'Uint8Array' || name === 'Uint8ClampedArray') {
    return bytesOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), limit)
  }
  const numbers = value as unknown as ArrayLike<unknown>
  const shown = Array.from({ length: Math.min(numbers.length, limit) }, (_, index) => numbers[index])
  return new Items(shown, numbers.length)
}

/** Returns the fields of WHATWG Headers, under the lowercase names of credential headers; undefined if the value is not Headers. */
export function headersOf(value: object, limit: number): Members | undefined {
  if (typeof Headers !== 'function' || !(value instanceof Headers)) return undefined
  const members: Member[] = []
  let size = 0
  Headers.prototype.forEach.call(value, (item, key) => {
    if (size++ < limit) members.push({ key, rule: key, value: item })
  })
  return new Members(members, size, true)
}

// A record has at most 256 KiB by default, so base64 of more bytes would be cut again.
const bytesPerItem = 1024

function bytesOf(bytes: Uint8Array, limit: number): Bytes | string {
  return bytes.length > limit * bytesPerItem ? `[Bytes: ${bytes.length}]` : new Bytes(bytes)
}

function getter(prototype: object, name: string | symbol): (this: unknown) => unknown {
  // oxlint-disable-next-line typescript/unbound-method
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!
}

function sizeOf(value: object, size: (this: unknown) => unknown): number | undefined {
  try {
    return size.call(value) as number
  } catch {
    return undefined // not a real instance
  }
}
