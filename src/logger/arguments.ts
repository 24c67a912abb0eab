import { callHook, mustSkipHook } from '../encode/hooks.ts'
import { lengthOf } from '../encode/walk/markers.ts'
import { parsePrintf } from '../encode/template/printf.ts'
import type { LogRecord } from '../record/record.ts'
import { isError } from '../values/is-error.ts'
import { isRequestLike, isResponseLike } from '../values/serializers.ts'
import { thrownMarker } from '../values/thrown-marker.ts'

/**
 * Parses the arguments of a log call into a record: message, attributes, exception and printf arguments. Other values are added to
 * `extraArguments`. Never throws, except on an exhausted stack.
 */
export function readArguments(record: LogRecord, first: unknown, second: unknown, rest: readonly unknown[]): void {
  if (typeof first === 'string') {
    record.body = first
    // Without values to insert, the string, which can be very long, is not searched for placeholders.
    if (second === undefined && rest.length === 0) return
    if (rest.length === 0 && first.indexOf('%') === -1) {
      if (second === null) return
      if (isPlainObject(second)) {
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
  if (isPlainObject(first)) record.attributes = first
  else if (isError(first)) record.exception = first
  else if (isAttributesObject(first)) record.attributes = attributesOf(first)
  else if (!hasMessage) record.body = first
  else if (first !== undefined && first !== null) record.extraArguments = [first]
  if (hasMessage) record.body = second
  if (rest.length > 0 || (!hasMessage && second !== undefined))
    readValues(record, hasMessage ? rest : [second, ...rest])
  // A call without arguments, or with `undefined` only, logs the text 'undefined'. In other calls `undefined` counts as absent.
  if (first === undefined && !hasMessage && rest.length === 0 && second === undefined) record.body = 'undefined'
}

/**
 * Parses the arguments after the message, in order. While placeholders remain, a value is a printf argument, except that attributes may
 * come before the printf arguments. All other values are assigned by their types.
 */
function readValues(record: LogRecord, values: readonly unknown[]): void {
  const placeholderKinds =
    (typeof record.body === 'string' ? parsePrintf(record.body)?.kinds : undefined) ?? noPlaceholders
  const printfArguments: unknown[] = []
  const extraArguments: unknown[] = record.extraArguments === undefined ? [] : [...record.extraArguments]
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    const kind = placeholderKinds[printfArguments.length]
    // A `%c` uses only CSS. The first value is the attributes if it is an object and its placeholder is not for objects; null in the
    // place of the attributes counts as absent.
    if (
      kind !== undefined &&
      !(kind === 'c' && !isStyle(value)) &&
      !(record.attributes === undefined && index === 0 && !acceptsObjects(kind) && isAttributesObject(value))
    ) {
      printfArguments.push(value)
      if (record.exception === undefined && isError(value)) record.exception = value
    } else if (isError(value) && record.exception === undefined) record.exception = value
    else if (record.attributes === undefined && isAttributesObject(value)) record.attributes = value
    else if (value !== undefined && !(value === null && index === 0)) extraArguments.push(value)
  }
  if (printfArguments.length > 0) record.printfArguments = printfArguments
  if (extraArguments.length > 0) record.extraArguments = extraArguments
}

/**
 * Calls a lazy function that was passed as the first argument. An array that it returns replaces all arguments; another value replaces only
 * the function.
 */
function readLazy(record: LogRecord, lazy: () => unknown, second: unknown, rest: readonly unknown[]): void {
  let result: unknown
  try {
    result = mustSkipHook(lazy) ? '[Circular]' : callHook(lazy, lazy)
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

/** Returns a copy of the array that a lazy function returned; undefined if it returned another value. */
function returnedArguments(result: unknown): unknown[] | undefined {
  try {
    if (!Array.isArray(result)) return undefined
    return Array.from({ length: Math.min(lengthOf(result), maxArguments) }, (_, index): unknown => result[index])
  } catch (error) {
    return [thrownMarker(error)] // A proxy that throws.
  }
}

const noPlaceholders: readonly string[] = []

/** Returns whether a placeholder of this kind prints objects. */
function acceptsObjects(kind: string): boolean {
  return kind === 'j' || kind === 'o' || kind === 'O'
}

/**
 * Returns whether a value is CSS, or the empty string that ends the style: the only values that a `%c` uses. With others, the `%c` is
 * most often a part of a URL, such as `%c3%a9`.
 */
function isStyle(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value.includes(':'))
}

/** Returns whether a value is a plain object. Runs no user code for a plain object. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  try {
    return Object.getPrototypeOf(value) === Object.prototype
  } catch {
    return false
  }
}

/** Returns whether a value has members to log as attributes, and is not a single value such as a Date. */
export function isAttributesObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  try {
    if (Array.isArray(value) || ArrayBuffer.isView(value) || isError(value)) return false
    return !singleValueTags.has(Object.prototype.toString.call(value))
  } catch {
    return true // A proxy that throws: the encoder writes a marker for it.
  }
}

/** The types of objects that are values, not attributes, as `Object.prototype.toString` reports them. */
const singleValueTags: ReadonlySet<string> = new Set(
  ['Date', 'RegExp', 'URL', 'Set', 'Promise', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'ArrayBuffer'].map(
    (tag) => `[object ${tag}]`,
  ),
)

/** Returns the attributes that an object represents: a request or response under the key of its serializer, any other object itself. */
function attributesOf(attributes: object): object {
  if (isPlainObject(attributes)) return attributes
  if (isRequestLike(attributes)) return { req: attributes }
  return isResponseLike(attributes) ? { res: attributes } : attributes
}
