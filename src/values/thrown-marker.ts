import { member, membersOf } from '../options/own-members.ts'

/**
 * The text that stands where reading a member threw: `[Threw: message]`. It is cut as any text is, once patterns have seen it
 * whole. Never throws itself.
 */
export function thrownMarker(reason: unknown): string {
  let text = ''
  try {
    const isObject = typeof reason === 'object' && reason !== null
    const message = isObject ? member(reason as { message?: unknown }, 'message') : reason
    text = scalarText(message)
  } catch {
    // What was thrown is as hostile as what threw it.
  }
  return text === '' ? '[Threw]' : `[Threw: ${text}]`
}

/**
 * Returns what was thrown for a message outside of the log: a code such as `ECONNREFUSED`, or the name of its class. Not its text,
 * which may hold what a rule covers. Never throws.
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

/** Returns whether an error reports an exhausted stack. Throws only on an exhausted stack. */
export function isStackExhausted(reason: unknown): boolean {
  try {
    // Not by `instanceof`: the error may be of another realm.
    const message = typeof reason === 'object' ? Reflect.get(reason ?? {}, 'message') : undefined
    return typeof message === 'string' && exhausted.test(message)
  } catch {
    return true // no stack is left for this check either, or the error is a hostile proxy
  }
}

/** The messages of V8 and of JavaScriptCore, and that of V8 for an expression that it cannot compile. */
const exhausted = /^Maximum call stack size exceeded\.?$|^Invalid regular expression: .*: Stack overflow$/su

/** A value as text; '' for objects and functions: their own conversions are not ours to run. */
export function scalarText(value: unknown): string {
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
