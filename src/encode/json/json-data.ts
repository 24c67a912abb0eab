import { disownPromise } from '../../options/observe-promise.ts'
import { member } from '../../options/own-members.ts'
import { redacted } from '../../redact/censor.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { isUrl, maskMember, maskPassword } from '../../redact/url-password.ts'

/** How values are read where JSON is to say of them what `JSON.stringify` says, and where that cannot be had. */
export interface JsonReading {
  /** How deep containers may nest. */
  readonly depth: number
  /** How many members or items of each are read. */
  readonly breadth: number
  /** Members in the order of their names, cycles marked, what throws marked; else a cycle or a throw ends the reading. */
  readonly careful: boolean
  /** Where it is careful: members in their own order nevertheless. */
  readonly inOrder: boolean
  /** Where it is careful: what stands for what threw. */
  readonly thrownMarker: (error: unknown) => string
  /** Whether bytes hold what must not be shown: as JSON they would be numbers, in which no pattern finds it. */
  readonly hides: ((view: ArrayBufferView) => boolean) | undefined
  /** The same of a list of numbers of which only some items are read: of those, a part of what must not be shown could be left. */
  readonly hidesList: ((list: readonly unknown[], read: number) => boolean) | undefined
  /** Whether the passwords of URL objects, and of the URLs of requests, are redacted. */
  readonly masksUrls: boolean
  /** Where it is careful: how many more containers are read; undefined: all. One object for each reading. */
  readonly room: { containers: number } | undefined
}

/** What `JSON.stringify` reads, or its TypeError. */
export const plainReading: JsonReading = {
  depth: Infinity,
  breadth: Infinity,
  careful: false,
  inOrder: false,
  thrownMarker,
  hides: undefined,
  hidesList: undefined,
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
 * A value as data: `toJSON` asked, boxes opened, functions and symbols undefined. A member that is undefined stays, so that a
 * rule can cover it. `ancestors` are the containers around the value.
 *
 * @throws what user code throws, and a TypeError for a cycle or a BigInt, unless the reading is careful.
 */
export function jsonData(value: unknown, key: string, reading: JsonReading, ancestors: object[] = []): unknown {
  const { careful, hides } = reading
  if (hides !== undefined && ArrayBuffer.isView(value) && hides(value)) return redacted
  const own = careful && typeof value === 'bigint' ? value : fromHook(value, key, reading)
  switch (typeof own) {
    case 'bigint':
      if (!careful) throw new TypeError('JSON has no BigInt')
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
  const box = careful ? undefined : boxes[tagOf.call(own)]
  if (box !== undefined && own instanceof box) return own.valueOf()
  if (ancestors.includes(own)) {
    if (careful) return '[Circular]'
    throw new TypeError('a cycle')
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
  disownPromise(data)
  return masksUrls && typeof data === 'string' && isUrl(value) ? maskPassword(data) : data
}

function items(source: readonly unknown[], reading: JsonReading, ancestors: object[]): unknown {
  const { depth, breadth } = reading
  const { length } = source
  if (length === 0) return []
  if (ancestors.length >= depth) return '[Array]'
  const shown = Math.min(length, breadth)
  if (shown < length && reading.hidesList?.(source, shown) === true) return redacted
  ancestors.push(source)
  const data: unknown[] = []
  for (let index = 0; index < shown; index++) {
    data.push(part(() => source[index], String(index), reading, ancestors))
  }
  // One more than the bound is not worth a word: so safe-stable-stringify has it.
  if (length - 1 > breadth) data.push(`... ${counted(length - breadth - 1)} not stringified`)
  ancestors.pop()
  return data
}

function members(source: Record<string, unknown>, reading: JsonReading, ancestors: object[]): unknown {
  const { depth, breadth } = reading
  const sorted = reading.careful && !reading.inOrder
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
  // An object would have its numbers first.
  if (sorted && keys.some((key) => /^\d+$/.test(key))) return new Map(entries)
  const data = empty()
  for (const [key, value] of entries) data[key] = value
  return data
}

/** A member may be called `__proto__`. */
function empty(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

function part(read: () => unknown, key: string, reading: JsonReading, ancestors: object[]): unknown {
  if (!reading.careful) return jsonData(read(), key, reading, ancestors)
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
