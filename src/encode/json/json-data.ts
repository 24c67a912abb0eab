import { ignoreRejection } from '../../options/observe-promise.ts'
import { member } from '../../options/own-members.ts'
import { redacted } from '../../redact/censor.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { isUrl, maskMember, maskPassword } from '../../redact/url-password.ts'

/** How `jsonData` reads values: exactly as `JSON.stringify` does, or with limits and markers. */
export interface JsonReading {
  /** The maximum nesting depth of containers. */
  readonly depth: number
  /** The maximum number of members or items that are read from each container. */
  readonly breadth: number
  /** Whether members are sorted by name, and cycles and errors replaced by markers. If false, a cycle or an error stops the read. */
  readonly isLenient: boolean
  /** If `careful`, whether members keep their own order. */
  readonly inOrder: boolean
  /** If `careful`, returns the marker for a value whose read threw. */
  readonly thrownMarker: (error: unknown) => string
  /** Returns whether bytes contain a secret. As JSON they would be numbers, which patterns do not match. */
  readonly hasSecret: ((view: ArrayBufferView) => boolean) | undefined
  /** Returns whether a list of numbers contains a secret, if only `read` items are read: those could contain a part of it. */
  readonly listHasSecret: ((list: readonly unknown[], read: number) => boolean) | undefined
  /** Whether the passwords of URL objects, and of the URLs of requests, are redacted. */
  readonly masksUrls: boolean
  /** If `careful`, how many more containers are read; undefined for all. Each read needs a new object, because the count decreases. */
  readonly room: { containers: number } | undefined
}

/** Reads what `JSON.stringify` reads, or throws a TypeError as it does. */
export const plainReading: JsonReading = {
  depth: Infinity,
  breadth: Infinity,
  isLenient: false,
  inOrder: false,
  thrownMarker,
  hasSecret: undefined,
  listHasSecret: undefined,
  masksUrls: false,
  room: undefined,
}

const { toString: tagOf } = Object.prototype
const boxes: Readonly<Record<string, (new (...value: never[]) => object) | undefined>> = {
  __proto__: null as never,
  '[object Number]': Number,
  '[object String]': String,
  '[object Boolean]': Boolean,
  '[object BigInt]': BigInt as never,
}

/**
 * Returns a value as data: `toJSON` is called, wrapper objects are unwrapped, functions and symbols become undefined. A member that is
 * undefined stays, so that a rule can redact it.
 *
 * @param ancestors - the containers around the value
 * @throws what user code throws, and a TypeError for a cycle or a BigInt, unless the reading is careful.
 */
export function jsonData(value: unknown, key: string, reading: JsonReading, ancestors: object[] = []): unknown {
  const { isLenient, hasSecret } = reading
  if (hasSecret !== undefined && ArrayBuffer.isView(value) && hasSecret(value)) return redacted
  const own = isLenient && typeof value === 'bigint' ? value : fromHook(value, key, reading)
  switch (typeof own) {
    case 'bigint':
      if (!isLenient) throw new TypeError('JSON cannot represent a BigInt')
      return own
    case 'function':
    case 'symbol':
      return undefined
    case 'object':
      break
    default:
      return own
  }
  if (own === null) return null
  const box = isLenient ? undefined : boxes[tagOf.call(own)]
  if (box !== undefined && own instanceof box) return own.valueOf()
  if (ancestors.includes(own)) {
    if (isLenient) return '[Circular]'
    throw new TypeError('circular structure')
  }
  if (reading.room !== undefined && reading.room.containers-- <= 0) return '[Object]'
  if (Array.isArray(own)) return items(own, reading, ancestors)
  return members(own as Record<string, unknown>, reading, ancestors)
}

function fromHook(value: unknown, key: string, { masksUrls }: JsonReading): unknown {
  if ((typeof value !== 'object' && typeof value !== 'bigint') || value === null) return value
  const hook: unknown = member(Object(value) as { toJSON?: unknown }, 'toJSON')
  if (typeof hook !== 'function') return value
  const data: unknown = hook.call(value, key)
  ignoreRejection(data)
  return masksUrls && typeof data === 'string' && isUrl(value) ? maskPassword(data) : data
}

function items(source: readonly unknown[], reading: JsonReading, ancestors: object[]): unknown {
  const { depth, breadth } = reading
  const { length } = source
  if (length === 0) return []
  if (ancestors.length >= depth) return '[Array]'
  const shown = Math.min(length, breadth)
  if (shown < length && reading.listHasSecret?.(source, shown) === true) return redacted
  ancestors.push(source)
  const data: unknown[] = []
  for (let index = 0; index < shown; index++) {
    data.push(part(() => source[index], String(index), reading, ancestors))
  }
  // A single item over the limit is not reported, as in safe-stable-stringify.
  if (length - 1 > breadth) data.push(`... ${counted(length - breadth - 1)} not stringified`)
  ancestors.pop()
  return data
}

function members(source: Record<string, unknown>, reading: JsonReading, ancestors: object[]): unknown {
  const { depth, breadth } = reading
  const sorted = reading.isLenient && !reading.inOrder
  let keys = Object.keys(source)
  const { length } = keys
  if (length === 0) return empty()
  if (ancestors.length >= depth) return '[Object]'
  if (sorted && !ArrayBuffer.isView(source)) keys = keys.toSorted(byUnits)
  ancestors.push(source)
  const entries = keys.slice(0, breadth).map((key): [string, unknown] => {
    const data = part(() => source[key], key, reading, ancestors)
    return [key, reading.masksUrls && typeof data === 'string' ? maskMember(key, data, keys) : data]
  })
  ancestors.pop()
  if (length > breadth) entries.push(['...', `${counted(length - breadth)} not stringified`])
  // An object would put integer keys first.
  if (sorted && keys.some((key) => /^\d+$/.test(key))) return new Map(entries)
  const data = empty()
  for (const [key, value] of entries) data[key] = value
  return data
}

/** Creates an object without a prototype, because a member may be named `__proto__`. */
function empty(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

function part(read: () => unknown, key: string, reading: JsonReading, ancestors: object[]): unknown {
  if (!reading.isLenient) return jsonData(read(), key, reading, ancestors)
  const depth = ancestors.length
  try {
    return jsonData(read(), key, reading, ancestors)
  } catch (error) {
    ancestors.length = depth
    return reading.thrownMarker(error)
  }
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function counted(items: number): string {
  return items === 1 ? '1 item' : `${items} items`
}
