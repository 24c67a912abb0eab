import type { AnyValue } from '../../record/any-value.ts'
import { isMembers, memberOf, type JsonMembers } from './json-members.ts'
import type { ValueConverter } from './json-values.ts'

/** The names under which loggers write the parts of an error. The first one that is present is used. */
const typeNames = ['type', 'name', 'kind']
const stackNames = ['stack', 'stack_trace', 'stacktrace', 'stackTrace']
/** The own members of an Error, which tslog 4 writes in an object. */
const nativeErrorName = 'nativeError'

/** Causes up to which a stack trace is continued. */
const maxCauses = 16

/** Returns whether an object has the parts of an error. */
export function isErrorLike(error: JsonMembers): boolean {
  return typeof memberOf(error, 'message') === 'string' || stackOf(error) !== undefined
}

/**
 * Adds the attributes `exception.type`, `exception.message` and `exception.stacktrace` of an error. Its other members stay under its key. The
 * stacks of its causes are added to the stack trace, as this package writes them.
 */
export function addException(
  attributes: Map<string, AnyValue>,
  key: string,
  error: JsonMembers,
  converter: ValueConverter,
): void {
  const chain = stackChain(error)
  const { typeKey, type } = typeOf(error)
  if (type !== undefined) attributes.set('exception.type', type)
  const message = memberOf(error, 'message')
  if (typeof message === 'string') attributes.set('exception.message', message)
  if (chain.text !== undefined) attributes.set('exception.stacktrace', chain.text)
  const rest = restOf(error, typeKey, chain.isCauseIncluded, converter)
  if (rest.size > 0) attributes.set(key, rest)
}

/**
 * Adds the parts of an exception that a format writes as separate fields. A missing type or message is taken from the first line of the
 * stack.
 */
export function addExceptionTexts(
  attributes: Map<string, AnyValue>,
  ownType: string | undefined,
  ownMessage: string | undefined,
  stack: string | undefined,
): void {
  if (ownType !== undefined) attributes.set('exception.type', ownType)
  if (ownMessage !== undefined) attributes.set('exception.message', ownMessage)
  if (stack === undefined) return
  const [, type, message] = headerPattern.exec(stack) ?? []
  if (type !== undefined && !attributes.has('exception.type')) attributes.set('exception.type', type)
  if (message !== undefined && !attributes.has('exception.message')) attributes.set('exception.message', message)
  attributes.set('exception.stacktrace', stack)
}

/** The first line of a stack of V8, when it has a message. */
const headerPattern = /^([A-Za-z_$][\w$.]*): (.*)\n\s+at /

function typeOf(error: JsonMembers): { readonly typeKey: string | undefined; readonly type: string | undefined } {
  for (const typeKey of typeNames) {
    const type = memberOf(error, typeKey)
    if (typeof type === 'string') return { typeKey, type }
  }
  return { typeKey: undefined, type: undefined }
}

/** Returns the stack of an error as text; undefined without a stack. */
function stackOf(error: JsonMembers): string | undefined {
  for (const name of stackNames) {
    const stack = memberOf(error, name)
    if (typeof stack === 'string') return stack
    if (Array.isArray(stack) && stack.every(isMembers)) return framesText(error, stack)
  }
  return undefined
}

/** Returns the frames that tslog writes as objects, in the form of V8. */
function framesText(error: JsonMembers, frames: readonly JsonMembers[]): string {
  const lines = frames.map((frame) => {
    const path = textIn(frame, 'fullFilePath') ?? textIn(frame, 'filePath') ?? '<anonymous>'
    const method = textIn(frame, 'method')
    return method === undefined ? `    at ${path}` : `    at ${method} (${path})`
  })
  return [headerOf(error), ...lines].join('\n')
}

/** Returns a member that is text. tslog writes the text `[undefined]` for undefined. */
function textIn(members: JsonMembers, name: string): string | undefined {
  const text = memberOf(members, name)
  return typeof text === 'string' && text !== '' && text !== '[undefined]' ? text : undefined
}

function headerOf(error: JsonMembers): string {
  const { type = 'Error' } = typeOf(error)
  const message = textIn(error, 'message')
  return message === undefined ? type : `${type}: ${message}`
}

/** Returns the stack of an error and of its causes. */
function stackChain(error: JsonMembers): { readonly text: string | undefined; readonly isCauseIncluded: boolean } {
  let text = stackOf(error)
  const own = text ?? headerOf(error)
  let chain = own
  let isCauseIncluded = false
  let cause = memberOf(error, 'cause')
  for (let count = 0; count < maxCauses && cause !== undefined; count++) {
    const causeText = typeof cause === 'string' ? cause : causeStackOf(cause)
    if (causeText === undefined) break
    if (!chain.includes(causeText)) chain += `\nCaused by: ${causeText}`
    isCauseIncluded = true
    cause = isMembers(cause) ? memberOf(cause, 'cause') : undefined
  }
  if (isCauseIncluded) text = chain
  return { text, isCauseIncluded }
}

function causeStackOf(cause: unknown): string | undefined {
  if (!isMembers(cause) || !isErrorLike(cause)) return undefined
  return stackOf(cause) ?? headerOf(cause)
}

/** Returns the members of an error that are not in the attributes of the exception. */
function restOf(
  error: JsonMembers,
  typeKey: string | undefined,
  isCauseIncluded: boolean,
  converter: ValueConverter,
): Map<string, AnyValue> {
  const rest = new Map<string, AnyValue>()
  for (const key of Object.keys(error)) {
    const value = error[key]
    if (key === typeKey || (key === 'message' && typeof value === 'string') || isStack(key, value)) continue
    if (key === nativeErrorName && isMembers(value)) {
      for (const native of Object.keys(value)) rest.set(native, converter.value(value[native]))
    } else if (key === 'cause' && isCauseIncluded) {
      const causeRest = isMembers(value)
        ? restOf(value, typeOf(value).typeKey, canInclude(memberOf(value, 'cause')), converter)
        : undefined
      if (causeRest !== undefined && causeRest.size > 0) rest.set(key, causeRest)
    } else rest.set(key, converter.value(value))
  }
  return rest
}

function isStack(key: string, value: unknown): boolean {
  return stackNames.includes(key) && (typeof value === 'string' || Array.isArray(value))
}

/** Returns whether `stackChain` includes a cause. */
function canInclude(cause: unknown): boolean {
  return typeof cause === 'string' || causeStackOf(cause) !== undefined
}
