import type { HandledRecord } from '../handler/handler.ts'

/** What a line contains in addition to the message and the attributes: timestamp, level, trace, names and punctuation. */
const recordSize = 128
/** The size of an error with its stack. */
const errorSize = 1_024
/** The size of a value whose size is not determined. */
const otherSize = 16
const maxDepth = 4
const maxValues = 256
/** A longer line is cut, unless the logger has another limit. */
const maxSize = 262_144

/**
 * Estimates the size of a record's line in bytes, without encoding it: the lengths of the message, the names and the strings, and fixed
 * sizes for everything else. Attributes of the logger and values inserted by printf placeholders are not included.
 */
export function estimatedSize({ body, attributes, exception }: HandledRecord): number {
  const remaining = { values: maxValues }
  const size =
    recordSize +
    valueSize(body, remaining, 0) +
    (attributes === undefined ? 0 : valueSize(attributes, remaining, 0)) +
    (exception === undefined ? 0 : errorSize)
  return Math.min(size, maxSize)
}

function valueSize(value: unknown, remaining: { values: number }, depth: number): number {
  if (typeof value === 'string') return value.length + 2
  if (value === undefined) return 0
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return otherSize
  try {
    return objectSize(value, remaining, depth)
  } catch {
    return otherSize // A getter or a proxy threw.
  }
}

function objectSize(object: object, remaining: { values: number }, depth: number): number {
  if (object instanceof Error) return errorSize
  // Only the number of their bytes is logged.
  if (ArrayBuffer.isView(object)) return otherSize
  if (object instanceof Map || object instanceof Set) return itemsSize(object, remaining, depth)
  let size = 2
  for (const key in object) {
    if (remaining.values-- <= 0) break
    size += key.length + 4 + valueSize((object as Record<string, unknown>)[key], remaining, depth + 1)
  }
  return size
}

/** Returns the size of the values of a set, or of the keys and values of a map. */
function itemsSize(items: Iterable<unknown>, remaining: { values: number }, depth: number): number {
  let size = 2
  for (const item of items) {
    if (remaining.values-- <= 0) break
    size += 4 + valueSize(item, remaining, depth + 1)
  }
  return size
}
