import { isCausePolluted, isStackPolluted, member } from '../options/own-members.ts'
import { isError } from './is-error.ts'
import { isArrayIndex } from '../redact/array-index.ts'
import { withHeader } from './stack-header.ts'
import { primitiveText, thrownMarker } from './thrown-marker.ts'

/**
 * The members of an Error, each read once, so that a getter that returns another value (or throws) the second time cannot make the redacted
 * value differ from the written one. `message` and `stacktrace` are text; `cause`, `errors` and `properties` are the caller's objects, not
 * redacted yet.
 */
export interface Exception {
  /** The class name: `error.name`, or the constructor's name if `name` is missing or only that of a built-in class. */
  readonly type: string
  /** The message. An object as message is `[Object]`, because no rule could address its members; a function is `[Function]`. */
  readonly message: string
  /**
   * V8's stack of this error alone, without its causes. Its lines before the frames contain `message`. Undefined for an error without a
   * stack.
   */
  readonly stacktrace: string | undefined
  /** The cause; undefined or null for an error without a cause. */
  readonly cause: unknown
  /** The own member `errors`, such as that of an AggregateError; undefined if it is missing or not an array. */
  readonly errors: readonly unknown[] | undefined
  /**
   * The other own enumerable members as `[key, value]`, in their order. If an array or bytes were thrown, the items or the bytes are the
   * first member, `value`. The keys `type` and `stacktrace`, which have another meaning here, become `_type` and `_stacktrace`, with more
   * `_` if those are taken too. Key rules still match, because they ignore `_`.
   */
  readonly properties: readonly (readonly [key: string, value: unknown])[]
}

/**
 * Reads an Error of any realm, or another object that was thrown, each member once. Never throws: a member whose getter throws is the text
 * `[Threw: message]`.
 */
export function exceptionOf(error: object): Exception {
  const name = readName(error)
  const builtInConstructor = builtInConstructors.get(name)
  const type = typeOf(error, name, builtInConstructor)
  const messageValue = readMessage(error)
  const message = messageText(messageValue)
  // V8 renders the text of a stack on first access, from the current `name` and `message`. With a huge array as one of them, that would not
  // finish.
  const stack = isHugeArray(name) || isHugeArray(messageValue) ? undefined : readStack(error)
  const errors = ownErrors(error)
  const hasErrors = isArray(errors)
  return {
    type,
    message,
    stacktrace:
      typeof stack === 'string'
        ? withHeader(stack, builtInConstructor === undefined ? undefined : (name as string), type, message)
        : undefined,
    cause: causeOf(error),
    errors: hasErrors ? errors : undefined,
    properties: propertiesOf(
      error,
      typeof name === 'string' ? writtenElsewhere : name,
      hasErrors ? writtenElsewhere : errors,
    ),
  }
}

/** Returns only the type of an Error. Never throws. */
export function exceptionTypeOf(error: object): string {
  const name = readName(error)
  return typeOf(error, name, builtInConstructors.get(name))
}

// One function for each member, because V8 caches property access by a literal name (4 reads take 190 ns with a shared function).

function readName(error: { readonly name?: unknown }): unknown {
  try {
    return error.name
  } catch (reason) {
    return thrownMarker(reason)
  }
}

function readMessage(error: { readonly message?: unknown }): unknown {
  try {
    return error.message
  } catch (reason) {
    return thrownMarker(reason)
  }
}

function readStack(error: { readonly stack?: unknown }): unknown {
  try {
    return isStackPolluted() ? member(error, 'stack') : error.stack
  } catch (reason) {
    return thrownMarker(reason)
  }
}

function readCause(error: { readonly cause?: unknown }): unknown {
  try {
    // A member that every object inherits is not the cause of this error.
    return isCausePolluted() ? member(error, 'cause') : error.cause
  } catch (reason) {
    return thrownMarker(reason)
  }
}

function readConstructor(error: object): unknown {
  try {
    return error.constructor
  } catch (reason) {
    return thrownMarker(reason)
  }
}

function readMember(target: object, key: string): unknown {
  try {
    return (target as Readonly<Record<string, unknown>>)[key]
  } catch (reason) {
    return thrownMarker(reason)
  }
}

const builtInConstructors: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>(
  [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map(
    (constructor) => [constructor.name, constructor],
  ),
)

/**
 * Returns the type of an Error.
 *
 * @param builtInConstructor - the built-in constructor with that name, if any
 */
function typeOf(error: object, name: unknown, builtInConstructor: unknown): string {
  if (builtInConstructor === undefined && typeof name === 'string' && name !== '' && !name.startsWith('[Threw'))
    return name
  // `class HttpError extends Error {}` inherits the name "Error", so its class name is more specific.
  const constructor = readConstructor(error)
  if (builtInConstructor !== undefined && constructor === builtInConstructor) return name as string
  const constructorName = typeof constructor === 'function' ? readMember(constructor, 'name') : undefined
  if (
    typeof constructorName === 'string' &&
    constructorName !== '' &&
    constructorName !== 'Object' &&
    !builtInConstructors.has(constructorName)
  )
    return constructorName
  return builtInConstructor === undefined ? 'Error' : (name as string)
}

function messageText(message: unknown): string {
  if (typeof message === 'string') return message
  if (message === undefined || message === null) return ''
  return primitiveText(message) || (typeof message === 'function' ? '[Function]' : '[Object]')
}

function causeOf(error: object): unknown {
  const cause = readCause(error)
  if (typeof cause !== 'function') return cause
  // VError has a method `cause`. Only an Error that it returns is a cause.
  try {
    const called: unknown = cause.call(error)
    return isError(called) ? called : undefined
  } catch (reason) {
    return thrownMarker(reason)
  }
}

// Only an own member, because an inherited one is derived from other members (zod's `errors` repeats its own `issues`).
function ownErrors(error: object): unknown {
  try {
    return Object.hasOwn(error, 'errors') ? (error as { errors?: unknown }).errors : undefined
  } catch (reason) {
    return thrownMarker(reason)
  }
}

function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false // a revoked proxy
  }
}

/**
 * Returns whether a value is a very long array or a revoked proxy. Such an array can be sparse or a proxy, so that converting it to text
 * would never finish.
 */
function isHugeArray(value: unknown): boolean {
  try {
    return typeof value === 'object' && Array.isArray(value) && !(value.length <= maxArrayLength)
  } catch {
    return true // a revoked proxy
  }
}

const maxArrayLength = 100_000

/** Replaces the value of a member that is already in another member of `Exception`, so that `properties` omits it. */
const writtenElsewhere = Symbol('skipped')

function propertiesOf(error: object, name: unknown, errors: unknown): [string, unknown][] {
  const properties: [string, unknown][] = []
  const keys = keysOf(error)
  const items = itemsOf(error, keys)
  if (items !== undefined) properties.push([keys.includes('value') ? freeKey('value', keys) : 'value', items])
  for (const key of keys) {
    if (key === 'message' || key === 'stack' || key === 'cause') continue
    if (items !== undefined && isArrayIndex(key)) continue
    const value = key === 'name' ? name : key === 'errors' ? errors : readMember(error, key)
    if (value !== writtenElsewhere)
      properties.push([key === 'type' || key === 'stacktrace' ? freeKey(key, keys) : key, value])
  }
  return properties
}

/**
 * Returns the items of an array, or the bytes of a view, that was thrown instead of an Error; undefined for any other object and for a huge
 * array. They become one value, because rules for pairs of names and values and for bytes would not apply to members with an index as their
 * key.
 */
function itemsOf(thrown: object, keys: readonly string[]): unknown {
  if (ArrayBuffer.isView(thrown)) return bytesOf(thrown)
  if (!isArray(thrown) || isHugeArray(thrown)) return undefined
  return keys.filter(isArrayIndex).map((key) => readMember(thrown, key))
}

/** Returns the bytes of a view; a marker if its buffer is detached or a member throws. */
function bytesOf(view: ArrayBufferView): Uint8Array | string {
  try {
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  } catch (reason) {
    return thrownMarker(reason)
  }
}

/** Returns the key with as many leading `_` as are needed, at least one, so that no other key equals it. */
function freeKey(key: string, taken: readonly string[]): string {
  const free = `_${key}`
  return taken.includes(free) ? freeKey(free, taken) : free
}

function keysOf(error: object): readonly string[] {
  try {
    return Object.keys(error)
  } catch {
    return []
  }
}
