import { define } from '../../options/define-member.ts'
import { isOnEveryObject, member } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'

/** An error as a record shows it; the error itself is `raw`, which no line shows. */
export interface SerializedError {
  /** The name of its class. */
  type: string
  /** Its message, with those of its causes behind it. */
  message: string
  /** Its stack, with those of its causes behind it. */
  stack: string
  /** The errors of an AggregateError. */
  aggregateErrors?: SerializedError[]
  /** The error itself. */
  raw: Error
  /** What else the error has. */
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

/** An error with the messages and the stacks of its causes joined to its own. What is no error is returned as it is. */
export function err(error: Error): SerializedError {
  return serialized(error, false, new Set()) as SerializedError
}

/** The same with the cause as a member. */
export function errWithCause(error: Error): SerializedError {
  return serialized(error, true, new Set()) as SerializedError
}

/** `around`: the errors in which this one stands. They are not marked, so that a frozen one can be logged. */
function serialized(error: unknown, withCause: boolean, around: Set<unknown>): unknown {
  if (!isErrorLike(error)) return error
  around.add(error)
  const data = bare()
  const made: unknown = error.constructor
  data.type = typeof made === 'function' ? made.name : error.name
  data.message = withCause ? error.message : joined(error, messageOf, new Set())
  data.stack = withCause ? member(error, 'stack') : joined(error, stackOf, new Set())
  const errors = member(error, 'errors')
  if (Array.isArray(errors)) data.aggregateErrors = errors.map((inner: unknown) => inside(inner, withCause, around))
  const cause = member(error, 'cause')
  if (withCause && isErrorLike(cause) && !around.has(cause)) data.cause = serialized(cause, withCause, around)
  // What a class gives its errors counts as well.
  for (const key in error) {
    if (data[key] !== undefined || (isOnEveryObject(key) && !Object.hasOwn(error, key))) continue
    const value = read(error, key)
    if (!isErrorLike(value)) data[key] = value
    else if ((withCause || key !== 'cause') && !around.has(value)) data[key] = serialized(value, withCause, around)
  }
  around.delete(error)
  define(data, 'raw', { value: error, writable: true, enumerable: false, configurable: true })
  return data
}

function inside(error: unknown, withCause: boolean, around: Set<unknown>): unknown {
  return around.has(error) ? '[Circular]' : serialized(error, withCause, around)
}

/** A member that throws does not cost the whole error. */
function read(error: ErrorLike, key: string): unknown {
  try {
    return error[key]
  } catch (thrown) {
    return `[Threw: ${isErrorLike(thrown) ? thrown.message : ''}]`
  }
}

/** Without a prototype, so that nobody's `__proto__` is lost and nothing is found in it that was not said. */
function bare(): Record<string, unknown> {
  return Object.create(shape) as Record<string, unknown>
}

const shape = Object.create(null) as object
// What prints errors asks objects for these.
define(shape, 'toString', { value: Object.prototype.toString })
define(shape, 'hasOwnProperty', { value: Object.prototype.hasOwnProperty })

/** A text of an error and of its causes. `skip`: VError says the message of its cause in its own. */
function joined(
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
  return part.own + (isVError ? part.silentLink : part.link) + joined(cause, text, seen, isVError)
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

/** An Error of any realm. */
export const isAnyError: (value: unknown) => boolean = (value) => {
  try {
    // What most calls are given: it is asked at each of them.
    if (Object.getPrototypeOf(value) === Object.prototype) return false
    return isError(value)
  } catch {
    return false // a revoked proxy
  }
}
