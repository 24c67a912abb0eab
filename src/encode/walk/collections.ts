import { Bytes, Items, Members, type Member } from './members.ts'

// The original methods and getters, which a subclass or an own property cannot replace.
const mapForEach = Map.prototype.forEach
const mapSizeGetter = getter(Map.prototype, 'size')
const setForEach = Set.prototype.forEach
const setSizeGetter = getter(Set.prototype, 'size')
const bufferLengthGetter = getter(ArrayBuffer.prototype, 'byteLength')
const viewClassNameGetter = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag)

/** Returns a Map's members if all keys are strings, otherwise its entries; undefined if the value is not a Map. */
export function entriesOf(value: object, maxItems: number): Members | Items | undefined {
  const size = sizeOf(value, mapSizeGetter)
  if (size === undefined) return undefined
  const entries: unknown[][] = []
  let hasStringKeys = true
  mapForEach.call(value as Map<unknown, unknown>, (item: unknown, key: unknown) => {
    hasStringKeys &&= typeof key === 'string'
    if (entries.length < maxItems) entries.push([key, item])
  })
  if (!hasStringKeys) return new Items(entries, size)
  return new Members(
    (entries as [string, unknown][]).map(([key, item]): Member => ({ key, ruleKey: key, value: item })),
    size,
  )
}

/** Returns a Set's items; undefined if the value is not a Set. */
export function itemsOf(value: object, maxItems: number): Items | undefined {
  const size = sizeOf(value, setSizeGetter)
  if (size === undefined) return undefined
  const items: unknown[] = []
  setForEach.call(value as Set<unknown>, (item: unknown) => {
    if (items.length < maxItems) items.push(item)
  })
  return new Items(items, size)
}

/** Returns the bytes of an ArrayBuffer or SharedArrayBuffer, or a marker if there are too many; undefined if the value is not one. */
export function bufferOf(value: object, maxItems: number): Bytes | string | undefined {
  const isShared = typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer
  if (!isShared && sizeOf(value, bufferLengthGetter) === undefined) return undefined
  return bytesOf(new Uint8Array(value as ArrayBuffer), maxItems)
}

/**
 * Returns the bytes of a Uint8Array (such as a Buffer), a Uint8ClampedArray or a DataView, or a marker if there are too many; the numbers
 * of every other typed array.
 */
export function viewOf(value: ArrayBufferView, maxItems: number): Bytes | string | Items {
  // The class name as the built-in getter returns it, also for views of another realm; undefined for a DataView.
  const className = viewClassNameGetter.call(value)
  if (className === undefined || className === 'Uint8Array' || className === 'Uint8ClampedArray') {
    return bytesOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), maxItems)
  }
  const numbers = value as unknown as ArrayLike<unknown>
  const items = Array.from({ length: Math.min(numbers.length, maxItems) }, (_, index) => numbers[index])
  return new Items(items, numbers.length)
}

/** Returns the fields of WHATWG Headers, whose names are in lower case; undefined if the value is not Headers. */
export function headersOf(value: object, maxItems: number): Members | undefined {
  if (typeof Headers !== 'function' || !(value instanceof Headers)) return undefined
  const members: Member[] = []
  let size = 0
  Headers.prototype.forEach.call(value, (item, key) => {
    if (size++ < maxItems) members.push({ key, ruleKey: key, value: item })
  })
  return new Members(members, size, true)
}

/**
 * How many bytes each item of the limit `items` allows. The default of 1,000 items allows about 1 MB, the base64 of which is longer than
 * the default limit of a record, so that more bytes would be cut anyway.
 */
const bytesPerItem = 1024

function bytesOf(bytes: Uint8Array, maxItems: number): Bytes | string {
  return bytes.length > maxItems * bytesPerItem ? `[Bytes: ${bytes.length}]` : new Bytes(bytes)
}

/** Returns the original getter of a class, which throws if its receiver is not an instance. */
export function getter(prototype: object, name: string | symbol): (this: unknown) => unknown {
  // oxlint-disable-next-line typescript/unbound-method
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!
}

function sizeOf(value: object, getSize: (this: unknown) => unknown): number | undefined {
  try {
    return getSize.call(value) as number
  } catch {
    return undefined // not a real instance
  }
}
