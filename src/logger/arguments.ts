import { callHook, hookIsRunning } from '../encode/hooks.ts'
import { lengthOf } from '../encode/walk/markers.ts'
import { parsePrintf } from '../encode/template/printf.ts'
import type { LogRecord } from '../record/record.ts'
import { isError } from '../values/is-error.ts'
import { isRequestLike, isResponseLike } from '../values/serializers.ts'
import { thrownMarker } from '../values/thrown-marker.ts'

/**
 * Finds the places of a call's arguments in a record: message, attributes, exception, printf arguments. What has no place
 * of its own is kept in `extra`. Never throws, except on an exhausted stack.
 */
export function readArguments(record: LogRecord, first: unknown, second: unknown, rest: readonly unknown[]): void {
  if (typeof first === 'string') {
    record.body = first
    // Alone it is what it says, and is not searched for placeholders: '50 % off' has none, and it may be very long.
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
  // `undefined` alone is said, too; beside something else it is an absent value.
  if (first === undefined && !hasMessage && rest.length === 0 && second === undefined) record.body = 'undefined'
}

/** What stands behind the message. Placeholders take their values first; then each value finds its own place. */
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
      !(record.attributes === undefined && index === 0 && !takesObjects(kind) && isAttributes(value))
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

/** Calls the function that stands in place of the arguments; an array it returns is the arguments. */
function readLazy(record: LogRecord, lazy: () => unknown, second: unknown, rest: readonly unknown[]): void {
  let result: unknown
  try {
    result = hookIsRunning(lazy) ? '[Circular]' : callHook(lazy, lazy)
  } catch (error) {
    result = thrownMarker(error)
  }
  const [first, ...others] = returnedArguments(result) ?? [result, second, ...rest]
  // A function again is a value: calling what functions return might never end.
  if (typeof first === 'function') record.body = first
  else readArguments(record, first, others.at(0), others.slice(1))
}

/** How many arguments a lazy function may return; nobody has more, and an array can be a proxy of any length. */
const mostArguments = 1_000

function returnedArguments(result: unknown): unknown[] | undefined {
  try {
    if (!Array.isArray(result)) return undefined
    return Array.from({ length: Math.min(lengthOf(result), mostArguments) }, (_, index): unknown => result[index])
  } catch (error) {
    return [thrownMarker(error)] // a proxy
  }
}

const noKinds: readonly string[] = []

function takesObjects(kind: string): boolean {
  return kind === 'j' || kind === 'o' || kind === 'O'
}

/** CSS, or the end of it. Nothing else is given to `%c`, which shows nothing: most often that is a letter of a URL, `%c3%a9`. */
function isStyle(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value.includes(':'))
}

/** A plain object, told without running user code where it is one. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  try {
    return Object.getPrototypeOf(value) === Object.prototype
  } catch {
    return false
  }
}

/** Whether a value has members to be logged as attributes, and is not one value by itself. */
export function isAttributes(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  try {
    if (Array.isArray(value) || ArrayBuffer.isView(value) || isError(value)) return false
    return !single.has(Object.prototype.toString.call(value))
  } catch {
    return true // a hostile proxy: the walk shows what it does
  }
}

const single: ReadonlySet<string> = new Set(
  ['Date', 'RegExp', 'URL', 'Set', 'Promise', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'ArrayBuffer'].map(
    (tag) => `[object ${tag}]`,
  ),
)

/** A request or response by itself is logged under the key that its serializer has. */
function named(attributes: object): object {
  if (isPlain(attributes)) return attributes
  if (isRequestLike(attributes)) return { req: attributes }
  return isResponseLike(attributes) ? { res: attributes } : attributes
}
