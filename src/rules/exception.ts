/**
 * What an Error holds, read once: every member is a value of its own from here on, so a getter that answers differently
 * (or throws) the second time cannot split what is redacted from what is written. `message` and `stacktrace` are text;
 * `cause`, `errors` and `properties` are the caller's objects, still to be redacted.
 */
export interface Exception {
  /** The class name (EXC3): `error.name`, or the constructor's name where `name` says no more than a built-in class. */
  readonly type: string
  /** The message; an object in its place is `[Object]`, because no rule could address what is in it. */
  readonly message: string
  /** V8's stack of this error alone, whose first line names `message`; undefined when the error has none. */
  readonly stacktrace: string | undefined
  /** The cause; undefined when there is none. */
  readonly cause: unknown
  /** The own `errors` array of an AggregateError; undefined when there is none. */
  readonly errors: readonly unknown[] | undefined
  /**
   * The other own enumerable members as `[key, value]`, in their order. The keys `type` and `stacktrace`, whose places
   * are taken, become `_type` and `_stacktrace` (which key rules still cover: they ignore `_`), with more `_` where those
   * are taken as well.
   */
  readonly properties: readonly (readonly [key: string, value: unknown])[]
}

/**
 * Reads an Error, of any realm, each member once. Never throws: a member whose getter throws is the text
 * `[Threw: message]`. EXC1, EXC3 of OpenTelemetry's exception conventions.
 */
export function exceptionOf(error: object): Exception {
  const name = readName(error)
  const builtIn = builtIns.get(name)
  const type = typeOf(error, name, builtIn)
  const message = messageText(readMessage(error))
  const stack = readStack(error)
  const errors = ownErrors(error)
  const errorsListed = isArray(errors)
  return {
    type,
    message,
    stacktrace:
      typeof stack === 'string'
        ? withHeader(stack, builtIn === undefined ? undefined : (name as string), type, message)
        : undefined,
    cause: causeOf(error),
    errors: errorsListed ? errors : undefined,
    properties: propertiesOf(error, typeof name === 'string' ? skipped : name, errorsListed ? skipped : errors),
  }
}

/**
 * Whether a value is an Error: of this realm, of another one (a vm context, a test runner), or an object made from
 * `Error.prototype` by hand. Never throws, whatever a proxy does.
 */
export function isError(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false
  try {
    return isNativeError(value) || value instanceof Error
  } catch {
    return false
  }
}

/** The text that stands where reading a member threw: `[Threw: message]`. Never throws itself. */
export function threw(reason: unknown): string {
  let text = ''
  try {
    const message = typeof reason === 'object' && reason !== null ? (reason as { message?: unknown }).message : reason
    text = scalarText(message)
  } catch {
    // What was thrown is as hostile as what threw it.
  }
  return text === '' ? '[Threw]' : `[Threw: ${text.slice(0, threwLength)}]`
}

const threwLength = 256

// Error.isError is in V8 since 13.4 (Node 24); before it, the tag is what tells an Error of another realm.
const isNativeError: (value: object) => boolean =
  (Error as { isError?: (value: unknown) => boolean }).isError ??
  ((value) => Object.prototype.toString.call(value) === '[object Error]')

// A function for each member: where the name is written down, V8 knows where to look (4 reads: 190 ns by one function).

function readName(error: { readonly name?: unknown }): unknown {
  try {
    return error.name
  } catch (reason) {
    return threw(reason)
  }
}

function readMessage(error: { readonly message?: unknown }): unknown {
  try {
    return error.message
  } catch (reason) {
    return threw(reason)
  }
}

function readStack(error: { readonly stack?: unknown }): unknown {
  try {
    return error.stack
  } catch (reason) {
    return threw(reason)
  }
}

function readCause(error: { readonly cause?: unknown }): unknown {
  try {
    return error.cause
  } catch (reason) {
    return threw(reason)
  }
}

function readConstructor(error: object): unknown {
  try {
    return error.constructor
  } catch (reason) {
    return threw(reason)
  }
}

function read(target: object, key: string): unknown {
  try {
    return (target as Readonly<Record<string, unknown>>)[key]
  } catch (reason) {
    return threw(reason)
  }
}

const builtIns: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>(
  [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map(
    (constructor) => [constructor.name, constructor],
  ),
)

/** `builtIn`: the constructor of that name in the language. */
function typeOf(error: object, name: unknown, builtIn: unknown): string {
  if (builtIn === undefined && typeof name === 'string' && name !== '' && !name.startsWith('[Threw')) return name
  // `class HttpError extends Error {}` inherits the name "Error": the dynamic type says more.
  const constructor = readConstructor(error)
  if (builtIn !== undefined && constructor === builtIn) return name as string
  const dynamic = typeof constructor === 'function' ? read(constructor, 'name') : undefined
  if (typeof dynamic === 'string' && dynamic !== '' && dynamic !== 'Object' && !builtIns.has(dynamic)) return dynamic
  return builtIn === undefined ? 'Error' : (name as string)
}

function messageText(message: unknown): string {
  if (typeof message === 'string') return message
  if (message === undefined || message === null) return ''
  return scalarText(message) || (typeof message === 'function' ? '[Function]' : '[Object]')
}

/** '' for objects and functions: their own conversions are not ours to run. */
function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return String(value)
    default:
      return ''
  }
}

// One class-like word, and the code that Node's own errors carry: "TypeError [ERR_X]: ".
const header = /^[\w$.]+(?: \[\w+\])?(?:: |$)/

/**
 * V8 captures the first line when an error is made; a message (or the whole stack) set later is not in it. Then the
 * line is made anew, so that `message` can be found in the stack, and covered there.
 */
function withHeader(stack: string, builtIn: string | undefined, type: string, message: string): string {
  if (builtIn !== undefined && isHeadedBy(stack, builtIn, message)) return stack
  if (messageAt(stack, message) >= 0) return stack
  const first = message === '' ? type : `${type}: ${message}`
  const rest = stack.slice(firstFrame(stack, 0))
  return rest === '' ? (stack === '' ? first : `${first}\n${stack}`) : `${first}\n${rest}`
}

/** Whether a stack begins with the name of a class and the message, as most do: a tenth of the time of `messageAt`. */
function isHeadedBy(stack: string, name: string, message: string): boolean {
  const at = name.length
  const end = at + 2 + message.length
  return (
    message !== '' &&
    stack.charCodeAt(at) === colon &&
    stack.charCodeAt(at + 1) === space &&
    stack.startsWith(name) &&
    stack.startsWith(message, at + 2) &&
    (end === stack.length || stack.charCodeAt(end) === lineFeed)
  )
}

const lineFeed = 10
const space = 32
const colon = 58

/** Where `message` stands in the first line(s) of a stack that is headed by it; -1 when the stack is not. */
export function messageAt(stack: string, message: string): number {
  const at = header.exec(message === '' ? stack.slice(0, endOfLine(stack, 0)) : stack)?.[0].length ?? 0
  const end = at + message.length
  return stack.startsWith(message, at) && end === endOfLine(stack, end) && end > 0 ? at : -1
}

/** Where the first line that looks like V8's `    at …` starts, at or after `from`; the end of the stack without one. */
export function firstFrame(stack: string, from: number): number {
  frameLine.lastIndex = from
  return frameLine.exec(stack)?.index ?? stack.length
}

const frameLine = /^[ \t]+at /gm

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function causeOf(error: object): unknown {
  const cause = readCause(error)
  if (typeof cause !== 'function') return cause
  // VError has a method in this place; anything else a function may return is not a cause.
  try {
    const called: unknown = cause.call(error)
    return isError(called) ? called : undefined
  } catch (reason) {
    return threw(reason)
  }
}

// Only an own member: what is inherited is a view of something else (zod's `errors` repeats its own `issues`).
function ownErrors(error: object): unknown {
  try {
    return Object.hasOwn(error, 'errors') ? (error as { errors?: unknown }).errors : undefined
  } catch (reason) {
    return threw(reason)
  }
}

function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false // a revoked proxy
  }
}

/** Marks a member that has its place elsewhere. */
const skipped = Symbol('skipped')

function propertiesOf(error: object, name: unknown, errors: unknown): [string, unknown][] {
  const properties: [string, unknown][] = []
  const keys = keysOf(error)
  for (const key of keys) {
    if (key === 'message' || key === 'stack' || key === 'cause') continue
    const value = key === 'name' ? name : key === 'errors' ? errors : read(error, key)
    if (value !== skipped) properties.push([key === 'type' || key === 'stacktrace' ? freeKey(key, keys) : key, value])
  }
  return properties
}

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
