import { types } from 'node:util'

/**
 * A simple recursive implementation of the encoding of values, as an independent reference for property tests. It imports nothing
 * from src.
 */

/** The limits of the reference. Strings are counted in UTF-16 units. */
export interface ReferenceLimits {
  readonly depth: number
  readonly items: number
  readonly stringLength: number
}

/** The containers of a value, outermost first. The attributes have index 0, a top-level value has index 1. */
type Ancestors = readonly object[]

const unlimited: ReferenceLimits = { depth: 64, items: 1_000, stringLength: Infinity }

/** Returns the attributes of a call as JSON, or undefined if none remain. */
export function referenceAttributes(attributes: object, limits: ReferenceLimits = unlimited): string | undefined {
  const members = Object.keys(attributes).flatMap((key) => member(attributes, key, [attributes], limits))
  return members.length === 0 ? undefined : `{${members.join(',')}}`
}

/** Returns a top-level value as JSON, or undefined if it is omitted. */
export function referenceValue(value: unknown, limits: ReferenceLimits = unlimited): string | undefined {
  return text(value, '', [{}], limits)
}

function text(value: unknown, key: string, ancestors: Ancestors, limits: ReferenceLimits): string | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined
    case 'boolean':
      return String(value)
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`
    case 'bigint':
      return `"${value}"`
    case 'symbol':
      return quoted(limited(String(value), limits.stringLength))
    case 'function':
      return quoted(limited(value.name === '' ? '[Function]' : `[Function: ${value.name}]`, limits.stringLength))
    case 'string':
      return quoted(limited(value, limits.stringLength))
    default:
      return value === null ? 'null' : object(value as object, key, ancestors, limits)
  }
}

function object(value: object, key: string, ancestors: Ancestors, limits: ReferenceLimits): string | undefined {
  if (ancestors.includes(value)) return '"[Circular]"'
  try {
    return contents(value, key, [...ancestors, value], limits, true)
  } catch (error) {
    return text(threw(error), key, ancestors, limits)
  }
}

function contents(
  value: object,
  key: string,
  at: Ancestors,
  limits: ReferenceLimits,
  callsToJSON: boolean,
): string | undefined {
  if (Array.isArray(value)) return list(value, at, limits)
  if (types.isNativeError(value)) return error(value, at, limits)
  const data = bytes(value)
  if (data !== undefined) return quoted(base64(data, limits.stringLength))
  const single = scalar(value)
  if (single !== undefined) return text(single, key, at, limits)
  if (types.isTypedArray(value)) return list(Array.from(value as unknown as ArrayLike<unknown>), at, limits)
  if (callsToJSON && typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    const result = (value as { toJSON(key: string): unknown }).toJSON(key)
    // toJSON of the result is not called.
    return typeof result === 'object' && result !== null
      ? contents(result, key, at, limits, false)
      : text(result, key, at, limits)
  }
  if (types.isMap(value)) return map(value, at, limits)
  if (types.isSet(value)) return list([...value], at, limits)
  const opaque = opaqueName(value)
  if (opaque !== undefined) return text(`[${opaque}]`, key, at, limits)
  const keys = Object.keys(value)
  if (at.length - 1 > limits.depth) return `"[Object: ${keys.length} keys]"`
  const members = keys.slice(0, limits.items).flatMap((name) => member(value, name, at, limits))
  if (keys.length > limits.items) members.push(`"[truncated]":"+${keys.length - limits.items} keys"`)
  return `{${members.join(',')}}`
}

function member(owner: object, key: string, at: Ancestors, limits: ReferenceLimits): string[] {
  let part: string | undefined
  try {
    part = text((owner as Record<string, unknown>)[key], key, at, limits)
  } catch (error) {
    part = text(threw(error), key, at, limits)
  }
  return part === undefined ? [] : [`${quoted(key)}:${part}`]
}

function list(items: readonly unknown[], at: Ancestors, limits: ReferenceLimits): string {
  if (at.length - 1 > limits.depth) return `"[Array: ${items.length} items]"`
  const shown = Array.from({ length: Math.min(items.length, limits.items) }, (_, index) => {
    return text(items[index], String(index), at, limits) ?? 'null'
  })
  if (items.length > limits.items) shown.push(`"[+${items.length - limits.items} items]"`)
  return `[${shown.join(',')}]`
}

/** Returns an object if all keys are strings, and otherwise a list of entries. */
function map(value: ReadonlyMap<unknown, unknown>, at: Ancestors, limits: ReferenceLimits): string | undefined {
  const entries = [...value]
  if (!entries.every(([key]) => typeof key === 'string')) return list(entries, at, limits)
  return named(entries as [string, unknown][], at, limits)
}

function named(
  entries: readonly (readonly [string, unknown])[],
  at: Ancestors,
  limits: ReferenceLimits,
  most: number = limits.items,
  left: number = Math.max(0, entries.length - most),
): string {
  if (at.length - 1 > limits.depth) return `"[Object: ${Math.min(most, entries.length) + left} keys]"`
  const members = entries.slice(0, most).flatMap(([key, item]) => {
    const part = text(item, key, at, limits)
    return part === undefined ? [] : [`${quoted(key)}:${part}`]
  })
  if (left > 0) members.push(`"[truncated]":"+${left} keys"`)
  return `{${members.join(',')}}`
}

function error(value: Error, at: Ancestors, limits: ReferenceLimits): string {
  const generic = /^(Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error$/
  const inherited = value.constructor.name
  const entries: [string, unknown][] = [
    ['type', generic.test(value.name) && !generic.test(inherited) ? inherited : value.name],
    ['message', value.message],
    ['stacktrace', value.stack],
  ]
  const keys = Object.keys(value)
  for (const key of keys.slice(0, limits.items)) {
    let name = key
    // A property that collides with a field is renamed.
    if (['type', 'stacktrace'].includes(key))
      do name = `_${name}`
      while (Object.hasOwn(value, name))
    entries.push([name, read(value, key)])
  }
  if (value.cause !== undefined) entries.push(['cause', value.cause])
  if (value instanceof AggregateError) entries.push(['errors', value.errors])
  return named(entries, at, limits, entries.length, Math.max(0, keys.length - limits.items))
}

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (error) {
    return threw(error)
  }
}

function bytes(value: object): Buffer | undefined {
  if (types.isUint8Array(value) || types.isUint8ClampedArray(value) || types.isDataView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  return types.isAnyArrayBuffer(value) ? Buffer.from(value) : undefined
}

function base64(data: Buffer, length: number): string {
  const more = data.length - length
  return data.subarray(0, length).toString('base64') + (more > 0 ? `…[+${more} bytes]` : '')
}

function scalar(value: object): unknown {
  if (types.isDate(value))
    return Number.isNaN(Date.prototype.getTime.call(value)) ? 'Invalid Date' : Date.prototype.toISOString.call(value)
  if (types.isRegExp(value)) return `/${value.source}/${value.flags}`
  if (value instanceof URL)
    return value.password === '' ? value.href : value.href.replace(`:${value.password}@`, ':[REDACTED]@')
  if (value instanceof URLSearchParams) return value.toString()
  return types.isBoxedPrimitive(value) ? (value as { valueOf(): unknown }).valueOf() : undefined
}

function opaqueName(value: object): string | undefined {
  if (types.isPromise(value)) return 'Promise'
  if (types.isGeneratorObject(value)) return Object.prototype.toString.call(value).slice(8, -1)
  if (types.isWeakMap(value)) return 'WeakMap'
  return types.isWeakSet(value) ? 'WeakSet' : undefined
}

function limited(value: string, length: number): string {
  if (value.length <= length) return value
  const half = /[\ud800-\udbff]$/.test(value.slice(0, length)) ? 1 : 0
  return `${value.slice(0, length - half)}…[+${value.length - length + half} characters]`
}

function threw(error: unknown): string {
  const { message } = error as Error
  return message === '' ? '[Threw]' : `[Threw: ${message}]`
}

/** Returns a JSON string in which DEL and the C1 controls are also escaped, because terminals interpret them. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return JSON.stringify(text).replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}
