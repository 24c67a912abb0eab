import { define } from '../../options/define-member.ts'
import { isOnEveryObject, member } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'

/** A serialized error. The original error is `raw`, which is not enumerable and so not written to lines. */
export interface SerializedError {
  /** The name of its class. */
  type: string
  /** Its message, followed by those of its causes. `errWithCause` does not append them. */
  message: string
  /** Its stack, followed by those of its causes. `errWithCause` does not append them. */
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

/**
 * Serializes an error and the errors in it. Other values are returned unchanged.
 *
 * @param withCause - whether the cause becomes a member, instead of being appended to the message and the stack
 * @param ancestors - the errors that contain this one, to detect cycles
 */
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
  // for...in also reads inherited members, because a class can define members of its errors on its prototype.
  for (const key in error) {
    if (data[key] !== undefined || (isOnEveryObject(key) && !Object.hasOwn(error, key))) continue
    const value = readMember(error, key)
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
function readMember(error: ErrorLike, key: string): unknown {
  try {
    return error[key]
  } catch (thrown) {
    return `[Threw: ${isErrorLike(thrown) ? thrown.message : ''}]`
  }
}

/**
 * Creates an object that does not inherit from Object.prototype: it can have a member `__proto__`, and has none that other libraries added
 * there.
 */
function emptyData(): Record<string, unknown> {
  return Object.create(dataPrototype) as Record<string, unknown>
}

const dataPrototype = Object.create(null) as object
// Libraries that format errors call these two methods.
define(dataPrototype, 'toString', { value: Object.prototype.toString })
define(dataPrototype, 'hasOwnProperty', { value: Object.prototype.hasOwnProperty })

/**
 * Joins the messages or the stacks of an error and its causes.
 *
 * @param textOf - returns the message or the stack of an error, and the separators
 * @param seen - the errors that were joined already
 * @param omitsMessage - omits the message of this error, because the VError that it caused already includes it
 */
function joinCauses(
  error: unknown,
  textOf: (error: ErrorLike, omitsMessage: boolean) => CauseText,
  seen: Set<unknown>,
  omitsMessage = false,
): string {
  if (!isErrorLike(error)) return ''
  const part = textOf(error, omitsMessage)
  if (seen.has(error)) return part.text + part.circular
  const cause = causeOf(error)
  if (cause === undefined) return part.text
  seen.add(error)
  const isVError = typeof member(error, 'cause') === 'function'
  return part.text + (isVError ? part.vErrorLink : part.link) + joinCauses(cause, textOf, seen, isVError)
}

/** The message or the stack of an error, and what follows it. */
interface CauseText {
  readonly text: string
  /** The text before the cause. */
  readonly link: string
  /** The text before the cause of a VError, whose `cause` is a function. */
  readonly vErrorLink: string
  /** The text after an error that was joined before, instead of its causes. */
  readonly circular: string
}

function messageOf(error: ErrorLike, omitsMessage: boolean): CauseText {
  return { text: omitsMessage ? '' : error.message, link: ': ', vErrorLink: '', circular: ': ...' }
}

function stackOf(error: ErrorLike): CauseText {
  const link = '\ncaused by: '
  return { text: member(error, 'stack') ?? '', link, vErrorLink: link, circular: '\ncauses have become circular...' }
}

function causeOf(error: ErrorLike): unknown {
  const cause = member(error, 'cause')
  const found: unknown = typeof cause === 'function' ? (error as { cause(): unknown }).cause() : cause
  return isErrorLike(found) ? found : undefined
}

/** Returns the same as `isError`, but faster for plain objects. */
export const isErrorFast: (value: unknown) => boolean = (value) => {
  try {
    // Fast path for plain objects, because this runs on each log call.
    if (Object.getPrototypeOf(value) === Object.prototype) return false
    return isError(value)
  } catch {
    return false // a revoked proxy
  }
}
