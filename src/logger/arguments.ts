import { callHook, isHookRunning } from '../encode/hooks.ts'
import { lengthOf } from '../encode/walk/markers.ts'
import { parsePrintf } from '../encode/template/printf.ts'
import type { LogRecord } from '../record/record.ts'
import { isError } from '../values/is-error.ts'
import { isRequestLike, isResponseLike } from '../values/serializers.ts'
import { thrownMarker } from '../values/thrown-marker.ts'

/**
 * Parses the arguments of a log call into a record: message, attributes, exception and printf arguments. Other values are kept in
 * `extra`. Never throws, except on an exhausted stack.
 */
export function readArguments(record: LogRecord, first: unknown, second: unknown, rest: readonly unknown[]): void {
  if (typeof first === 'string') {
    record.body = first
    // A single string is not searched for placeholders: '50 % off' has none, and the string can be very long.
    if (second === undefined && rest.length === 0) return
    if (rest.length === 0 && first.indexOf('%') === -1) {
      if (second === null) return
      if (isPlain(second)) {
        record.attributes = second
        return
      }
      if (isError(second)) {
        record.exception = second
        return
      }
    }
    return readValues(record, [second, ...rest])
  }
  if (typeof first === 'function') return readLazy(record, first as () => unknown, second, rest)
  const hasMessage = typeof second === 'string'
  if (isPlain(first)) record.attributes = first
  else if (isError(first)) record.exception = first
  else if (isAttributes(first)) record.attributes = named(first)
  else if (!hasMessage) record.body = first
  else if (first !== undefined && first !== null) record.extra = [first]
  if (hasMessage) record.body = second
  if (rest.length > 0 || (!hasMessage && second !== undefined))
    readValues(record, hasMessage ? rest : [second, ...rest])
  // `undefined` as the only argument is logged; next to other arguments it counts as absent.
  if (first === undefined && !hasMessage && rest.length === 0 && second === undefined) record.body = 'undefined'
}

/**
 * Parses the arguments after the message. Placeholders use their values first; each remaining value is then assigned by its type.
 */
function readValues(record: LogRecord, values: readonly unknown[]): void {
  const kinds = (typeof record.body === 'string' ? parsePrintf(record.body)?.kinds : undefined) ?? noKinds
  const args: unknown[] = []
  const extra: unknown[] = record.extra === undefined ? [] : [...record.extra]
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    const kind = kinds[args.length]
    if (
      kind !== undefined &&
      !(kind === 'c' && !isStyle(value)) &&
      !(record.attributes === undefined && index === 0 && !acceptsObjects(kind) && isAttributes(value))
    ) {
      args.push(value)
      if (record.exception === undefined && isError(value)) record.exception = value
    } else if (isError(value) && record.exception === undefined) record.exception = value
    else if (record.attributes === undefined && isAttributes(value)) record.attributes = value
    else if (value !== undefined && !(value === null && index === 0)) extra.push(value)
  }
  if (args.length > 0) record.args = args
  if (extra.length > 0) record.extra = extra
}

/** Calls a lazy function that was passed instead of the arguments. If it returns an array, that is the arguments. */
function readLazy(record: LogRecord, lazy: () => unknown, second: unknown, rest: readonly unknown[]): void {
  let result: unknown
  try {
    result = isHookRunning(lazy) ? '[Circular]' : callHook(lazy, lazy)
  } catch (error) {
    result = thrownMarker(error)
  }
  const [first, ...others] = returnedArguments(result) ?? [result, second, ...rest]
  // A returned function is logged as a value: calling it could recurse without end.
  if (typeof first === 'function') record.body = first
  else readArguments(record, first, others.at(0), others.slice(1))
}

/** The maximum number of arguments that a lazy function may return. More are never useful, and a proxy can report any length. */
const maxArguments = 1_000

function returnedArguments(result: unknown): unknown[] | undefined {
  try {
    if (!Array.isArray(result)) return undefined
    return Array.from({ length: Math.min(lengthOf(result), maxArguments) }, (_, index): unknown => result[index])
  } catch (error) {
    return [thrownMarker(error)] // A proxy that throws.
  }
}

const noKinds: readonly string[] = []

function acceptsObjects(kind: string): boolean {
  return kind === 'j' || kind === 'o' || kind === 'O'
}

/**
 * Returns whether a value is CSS, or the empty string that ends it. `%c` uses no other value and prints nothing, because most
 * often it is a part of a URL, such as `%c3%a9`.
 */
function isStyle(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value.includes(':'))
}

/** Returns whether a value is a plain object. Runs no user code for a plain object. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  try {
    return Object.getPrototypeOf(value) === Object.prototype
  } catch {
    return false
  }
}

/** Returns whether a value has members to log as attributes, and is not a single value such as a Date. */
export function isAttributes(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  try {
    if (Array.isArray(value) || ArrayBuffer.isView(value) || isError(value)) return false
    return !singleValueTags.has(Object.prototype.toString.call(value))
  } catch {
    return true // A proxy that throws: serialization logs a marker for it.
  }
}

const singleValueTags: ReadonlySet<string> = new Set(
  ['Date', 'RegExp', 'URL', 'Set', 'Promise', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'ArrayBuffer'].map(
    (tag) => `[object ${tag}]`,
  ),
)

/** Returns attributes for an object. A request or response is logged under the key of its serializer. */
function named(attributes: object): object {
  if (isPlain(attributes)) return attributes
  if (isRequestLike(attributes)) return { req: attributes }
  return isResponseLike(attributes) ? { res: attributes } : attributes
}
