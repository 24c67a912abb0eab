import { exceptionOf } from '../../values/exception.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import { defaultReplacement } from '../../redact/censor.ts'
import type { Censor, RedactState } from '../../redact/redact.ts'
import { redactedStack, stacktraceWithCauses } from '../../values/stacktrace.ts'
import { callHook, mustSkipHook } from '../hooks.ts'
import { Members, type Member } from './members.ts'

/**
 * Returns the members of an Error that is not the record's exception: its type, message, stack, own properties, cause and errors.
 *
 * @param path - the path from the attributes to the Error
 */
export function errorMembers(
  error: object,
  state: RedactState,
  path: readonly string[],
  limits: ResolvedLimits,
): Members {
  const exception = exceptionOf(error)
  // The causes are separate members here, so the stack contains only the Error itself.
  const withoutCauses = { ...exception, cause: undefined, errors: undefined }
  const stack = stacktraceWithCauses(error, withoutCauses, {
    maxFrames: limits.stackFrames,
    redact: createRedactor(state, path),
    read: exceptionOf,
  })
  const members: Member[] = [
    // The name is written as `type`, and a rule for either key applies to it.
    { key: 'type', ruleKey: state.step('name').censor === undefined ? 'type' : 'name', value: exception.type },
    { key: 'message', ruleKey: 'message', value: exception.message },
  ]
  if (exception.stacktrace !== undefined) members.push({ key: 'stacktrace', ruleKey: 'stack', value: stack.text })
  const { properties } = exception
  for (const [key, value] of properties.slice(0, limits.items)) members.push({ key, ruleKey: key, value })
  if (exception.cause !== undefined) members.push({ key: 'cause', ruleKey: 'cause', value: exception.cause })
  if (exception.errors !== undefined) members.push({ key: 'errors', ruleKey: 'errors', value: exception.errors })
  return new Members(members, members.length + Math.max(0, properties.length - limits.items))
}

/**
 * Returns the members of a Map that represents an Error in bound attributes, with the stack redacted: only other rules were applied to it
 * before, and a message that these rules redact must not stay in the stack. Members of anything else are returned unchanged.
 *
 * @param path - the path from the attributes to the Error
 */
export function redactedErrorData(members: Members, state: RedactState, path: readonly string[]): Members {
  const [type, message, stacktrace, ...others] = members.entries
  if (type?.key !== 'type' || message?.key !== 'message' || stacktrace?.key !== 'stacktrace') return members
  const { value: text } = message
  const { value: stack } = stacktrace
  if (typeof text !== 'string' || typeof stack !== 'string') return members
  const redact = createRedactor(state, path)
  const replacement = text === '' ? undefined : redact(['message'], text)
  const stackWithoutMessage = replacement === undefined ? stack : redactedStack(stack, text, replacement)
  const value = redact(['stacktrace'], stackWithoutMessage) ?? stackWithoutMessage
  return new Members([type, message, { key: 'stacktrace', ruleKey: 'stack', value }, ...others], members.size)
}

/**
 * Creates a function that returns the replacement of a member if the rules below `state` redact it, and undefined otherwise.
 *
 * @param objectPath - the path from the attributes to the object that has the members
 */
export function createRedactor(
  state: RedactState,
  objectPath: readonly string[],
): (path: readonly string[], value: unknown) => string | undefined {
  return (path, value) => {
    let current = state
    for (const key of path) {
      current = current.step(key)
      if (current.censor !== undefined) return censorText(current.censor, value, [...objectPath, ...path])
    }
    return undefined
  }
}

/** Returns a censor's replacement for a part of a text; '' if the censor removes the value. */
export function censorText(censor: Censor, value: unknown, path: readonly string[]): string {
  if (censor.removesMember) return ''
  // A censor that logs the value that it censors would recurse without end.
  const result = mustSkipHook(censor) ? defaultReplacement : callHook(censor, () => censor.replace(value, path))
  if (typeof result === 'string') return result
  const isObject = typeof result === 'object' && result !== null
  return isObject || typeof result === 'function' ? defaultReplacement : String(result)
}
