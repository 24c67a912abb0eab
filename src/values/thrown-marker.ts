import { member, membersOf } from '../options/own-members.ts'

/**
 * Returns the marker for a member whose read threw: `[Threw: message]`, or `[Threw]` without a message. A long message is not cut here,
 * because callers must first apply patterns to the whole text. Never throws.
 */
export function thrownMarker(reason: unknown): string {
  let text = ''
  try {
    const isObject = typeof reason === 'object' && reason !== null
    const message = isObject ? member(reason as { message?: unknown }, 'message') : reason
    text = primitiveText(message)
  } catch {
    // The thrown value may throw too when it is read.
  }
  return text === '' ? '[Threw]' : `[Threw: ${text}]`
}

/**
 * Returns a name of a thrown value for a message outside of the log: its `code`, such as `ECONNREFUSED`, or its `name`, or `Error` if
 * neither is a single word; for a value that is not an object, its type. The text of the value is not used, because it may contain a secret
 * that a rule redacts. Never throws.
 */
export function thrownName(reason: unknown): string {
  try {
    if (typeof reason !== 'object' || reason === null) return typeof reason
    const { code, name } = membersOf(reason as { code?: unknown; name?: unknown }, ['code', 'name'])
    const word = [code, name].find((text): text is string => typeof text === 'string' && /^\w{1,64}$/.test(text))
    return word ?? 'Error'
  } catch {
    return 'Error'
  }
}

/** Returns whether an error reports a stack overflow. Throws only on a stack overflow. */
export function isStackExhausted(reason: unknown): boolean {
  try {
    // Not `instanceof`, because the error may come from another realm.
    const message = typeof reason === 'object' ? Reflect.get(reason ?? {}, 'message') : undefined
    return typeof message === 'string' && stackExhaustedMessage.test(message)
  } catch {
    return true // the stack overflowed again in this check, or the error is a proxy that throws
  }
}

/** The messages of V8 and JavaScriptCore for a stack overflow, and that of V8 for an expression that it cannot compile. */
const stackExhaustedMessage = /^Maximum call stack size exceeded\.?$|^Invalid regular expression: .*: Stack overflow$/su

/** Returns a value as text; '' for undefined and null, and for objects and functions, whose own conversions must not run. */
export function primitiveText(value: unknown): string {
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
