import { ignoreRejection } from '../../options/observe-promise.ts'
import { member } from '../../options/own-members.ts'
import { defaultReplacement } from '../../redact/censor.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { isUrl, maskPasswordIfUrlMember, maskUrlPassword } from '../../redact/url-password.ts'

/** How `jsonData` reads values: as `JSON.stringify` does, or leniently, with limits and markers. */
export interface JsonReadOptions {
  /** The maximum nesting depth of containers. */
  readonly depth: number
  /** The maximum number of members or items that are read from each container. */
  readonly breadth: number
  /**
   * Whether members are sorted by name (see `keepsOrder`), cycles and errors are replaced by markers, a BigInt stays a BigInt, and wrapper
   * objects are read as objects. If false, a cycle, a BigInt or an error stops the read.
   */
  readonly isLenient: boolean
  /** If `isLenient`, whether members keep their own order. */
  readonly keepsOrder: boolean
  /** If `isLenient`, returns the marker for a member or item whose read threw. */
  readonly thrownMarker: (error: unknown) => string
  /** Returns whether bytes contain a secret. As JSON they would be numbers, which patterns do not match. */
  readonly bytesContainSecret: ((view: ArrayBufferView) => boolean) | undefined
  /**
   * Called for an array of which only the first `readCount` items are read. Returns whether these items, as bytes,
   * contain a secret or the beginning of one.
   */
  readonly firstItemsContainSecret: ((list: readonly unknown[], readCount: number) => boolean) | undefined
  /** Whether the passwords of URL objects, and of the URLs of requests, are redacted. */
  readonly masksUrlPasswords: boolean
  /** How many more containers are read; undefined for all. Each call of `jsonData` needs a new object, because the count decreases. */
  readonly remaining: { containers: number } | undefined
}

/** Reads what `JSON.stringify` reads, or throws a TypeError as it does. */
export const strictReadOptions: JsonReadOptions = {
  depth: Infinity,
  breadth: Infinity,
  isLenient: false,
  keepsOrder: false,
  thrownMarker,
  bytesContainSecret: undefined,
  firstItemsContainSecret: undefined,
  masksUrlPasswords: false,
  remaining: undefined,
}

const { toString: tagOf } = Object.prototype
const wrapperClasses: Readonly<Record<string, (new (...value: never[]) => object) | undefined>> = {
  __proto__: null as never,
  '[object Number]': Number,
  '[object String]': String,
  '[object Boolean]': Boolean,
  '[object BigInt]': BigInt as never,
}

/**
 * Returns a value as data: `toJSON` is called, functions and symbols become undefined, and wrapper objects are unwrapped unless `isLenient`
 * is set. A member that is undefined stays, so that a rule can redact it.
 *
 * @param ancestors - the containers around the value
 * @throws what user code throws, and a TypeError for a cycle or a BigInt. With `isLenient`, throws only what reading the value itself
 *   throws, such as its `toJSON`, not what its members throw.
 */
export function jsonData(value: unknown, key: string, options: JsonReadOptions, ancestors: object[] = []): unknown {
  const { isLenient, bytesContainSecret } = options
  if (bytesContainSecret !== undefined && ArrayBuffer.isView(value) && bytesContainSecret(value))
    return defaultReplacement
  const data = isLenient && typeof value === 'bigint' ? value : resultOfToJSON(value, key, options)
  switch (typeof data) {
    case 'bigint':
      if (!isLenient) throw new TypeError('JSON cannot represent a BigInt')
      return data
    case 'function':
    case 'symbol':
      return undefined
    case 'object':
      break
    default:
      return data
  }
  if (data === null) return null
  const wrapperClass = isLenient ? undefined : wrapperClasses[tagOf.call(data)]
  if (wrapperClass !== undefined && data instanceof wrapperClass) return data.valueOf()
  if (ancestors.includes(data)) {
    if (isLenient) return '[Circular]'
    throw new TypeError('circular structure')
  }
  if (options.remaining !== undefined && options.remaining.containers-- <= 0) return '[Object]'
  if (Array.isArray(data)) return items(data, options, ancestors)
  return members(data as Record<string, unknown>, options, ancestors)
}

function resultOfToJSON(value: unknown, key: string, { masksUrlPasswords }: JsonReadOptions): unknown {
  if ((typeof value !== 'object' && typeof value !== 'bigint') || value === null) return value
  const toJSON: unknown = member(Object(value) as { toJSON?: unknown }, 'toJSON')
  if (typeof toJSON !== 'function') return value
  const data: unknown = toJSON.call(value, key)
  ignoreRejection(data)
  return masksUrlPasswords && typeof data === 'string' && isUrl(value) ? maskUrlPassword(data) : data
}

function items(source: readonly unknown[], options: JsonReadOptions, ancestors: object[]): unknown {
  const { depth, breadth } = options
  const { length } = source
  if (length === 0) return []
  if (ancestors.length >= depth) return '[Array]'
  const readCount = Math.min(length, breadth)
  if (readCount < length && options.firstItemsContainSecret?.(source, readCount) === true) return defaultReplacement
  ancestors.push(source)
  const data: unknown[] = []
  for (let index = 0; index < readCount; index++) {
    data.push(readPart(() => source[index], String(index), options, ancestors))
  }
  // A single item over the limit is not reported, as in safe-stable-stringify.
  if (length - 1 > breadth) data.push(`... ${countText(length - breadth - 1)} not stringified`)
  ancestors.pop()
  return data
}

function members(source: Record<string, unknown>, options: JsonReadOptions, ancestors: object[]): unknown {
  const { depth, breadth } = options
  const isSorted = options.isLenient && !options.keepsOrder
  let keys = Object.keys(source)
  const { length } = keys
  if (length === 0) return emptyObject()
  if (ancestors.length >= depth) return '[Object]'
  if (isSorted && !ArrayBuffer.isView(source)) keys = keys.toSorted(compareCodeUnits)
  ancestors.push(source)
  const entries = keys.slice(0, breadth).map((key): [string, unknown] => {
    const data = readPart(() => source[key], key, options, ancestors)
    return [
      key,
      options.masksUrlPasswords && typeof data === 'string' ? maskPasswordIfUrlMember(key, data, keys) : data,
    ]
  })
  ancestors.pop()
  if (length > breadth) entries.push(['...', `${countText(length - breadth)} not stringified`])
  // An object would put integer keys first, which is not the sorted order.
  if (isSorted && keys.some((key) => /^\d+$/.test(key))) return new Map(entries)
  const data = emptyObject()
  for (const [key, value] of entries) data[key] = value
  return data
}

/** Returns a new object without a prototype, because a member may be named `__proto__`. */
function emptyObject(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

/** Reads a member or an item. With `isLenient`, replaces it by a marker if this throws. */
function readPart(read: () => unknown, key: string, options: JsonReadOptions, ancestors: object[]): unknown {
  if (!options.isLenient) return jsonData(read(), key, options, ancestors)
  const ancestorCount = ancestors.length
  try {
    return jsonData(read(), key, options, ancestors)
  } catch (error) {
    ancestors.length = ancestorCount
    return options.thrownMarker(error)
  }
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function countText(items: number): string {
  return items === 1 ? '1 item' : `${items} items`
}
