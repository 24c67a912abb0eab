import { define } from '../../options/define-member.ts'
import { isOnEveryObject, member } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'

/** A serialized error. The original error is `raw`, which is not enumerable and so not written to lines. */
export interface SerializedError {
  /** The name of its class. */
  type: string
  /** Its message, followed by those of its causes. */
  message: string
  /** Its stack, followed by those of its causes. */
  stack: string
  /** The errors of an AggregateError. */
  aggregateErrors?: SerializedError[]
  /** The original error. */
  raw: Error
  /** Other members of the error. */
  [key: string]: unknown
}

interface ErrorLike {
  readonly message: string
  readonly stack?: string
  readonly name?: unknown
  readonly errors?: unknown
  readonly cause?: unknown
  readonly [key: string]: unknown
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && typeof member(value as ErrorLike, 'message') === 'string'
}

/** Serializes an error, with the messages and stacks of its causes appended to its own. Other values are returned unchanged. */
export function err(error: Error): SerializedError {
  return serialize(error, false, new Set()) as SerializedError
}

/** Serializes an error with its cause as a member. */
export function errWithCause(error: Error): SerializedError {
  return serialize(error, true, new Set()) as SerializedError
}

/** `ancestors` are the errors that contain this one. A set is used, because frozen errors cannot be marked. */
function serialize(error: unknown, withCause: boolean, ancestors: Set<unknown>): unknown {
  if (!isErrorLike(error)) return error
  ancestors.add(error)
  const data = emptyData()
  const errorClass: unknown = error.constructor
  data.type = typeof errorClass === 'function' ? errorClass.name : error.name
  data.message = withCause ? error.message : joinCauses(error, messageOf, new Set())
  data.stack = withCause ? member(error, 'stack') : joinCauses(error, stackOf, new Set())
  const errors = member(error, 'errors')
  if (Array.isArray(errors))
    data.aggregateErrors = errors.map((inner: unknown) => serializeInner(inner, withCause, ancestors))
  const cause = member(error, 'cause')
  if (withCause && isErrorLike(cause) && !ancestors.has(cause)) data.cause = serialize(cause, withCause, ancestors)
  // for...in also reads inherited members, which a class adds to its errors.
  for (const key in error) {
    if (data[key] !== undefined || (isOnEveryObject(key) && !Object.hasOwn(error, key))) continue
    const value = read(error, key)
    if (!isErrorLike(value)) data[key] = value
    else if ((withCause || key !== 'cause') && !ancestors.has(value)) data[key] = serialize(value, withCause, ancestors)
  }
  ancestors.delete(error)
  define(data, 'raw', { value: error, writable: true, enumerable: false, configurable: true })
  return data
}

function serializeInner(error: unknown, withCause: boolean, ancestors: Set<unknown>): unknown {
  return ancestors.has(error) ? '[Circular]' : serialize(error, withCause, ancestors)
}

/** Reads a member. If its getter throws, only that member is replaced by a marker. */
function read(error: ErrorLike, key: string): unknown {
  try {
    return error[key]
  } catch (thrown) {
    return `[Threw: ${isErrorLike(thrown) ? thrown.message : ''}]`
  }
}

/** Creates an object that inherits nothing from Object.prototype: it can have a member `__proto__`, and hides polluted members. */
function emptyData(): Record<string, unknown> {
  return Object.create(shape) as Record<string, unknown>
}

const shape = Object.create(null) as object
// Libraries that format errors call these methods.
define(shape, 'toString', { value: Object.prototype.toString })
define(shape, 'hasOwnProperty', { value: Object.prototype.hasOwnProperty })

/**
 * Joins the texts of an error and its causes.
 *
 * @param skip - omits the message of this error, because the VError that it caused already includes it
 */
function joinCauses(
  error: unknown,
  text: (error: ErrorLike, skip: boolean) => Part,
  seen: Set<unknown>,
  skip = false,
): string {
  if (!isErrorLike(error)) return ''
  const part = text(error, skip)
  if (seen.has(error)) return part.own + part.circular
  const cause = causeOf(error)
  if (cause === undefined) return part.own
  seen.add(error)
  const isVError = typeof member(error, 'cause') === 'function'
  return part.own + (isVError ? part.silentLink : part.link) + joinCauses(cause, text, seen, isVError)
}

interface Part {
  readonly own: string
  readonly link: string
  readonly silentLink: string
  readonly circular: string
}

function messageOf(error: ErrorLike, skip: boolean): Part {
  return { own: skip ? '' : error.message, link: ': ', silentLink: '', circular: ': ...' }
}

function stackOf(error: ErrorLike): Part {
  const link = '\ncaused by: '
  return { own: member(error, 'stack') ?? '', link, silentLink: link, circular: '\ncauses have become circular...' }
}

function causeOf(error: ErrorLike): unknown {
  const cause = member(error, 'cause')
  const found: unknown = typeof cause === 'function' ? (error as { cause(): unknown }).cause() : cause
  return isErrorLike(found) ? found : undefined
}

/** Returns whether a value is an Error of any realm. */
export const isAnyError: (value: unknown) => boolean = (value) => {
  try {
    // Fast path for plain objects, because this runs on each log call.
    if (Object.getPrototypeOf(value) === Object.prototype) return false
    return isError(value)
  } catch {
    return false // a revoked proxy
  }
}
