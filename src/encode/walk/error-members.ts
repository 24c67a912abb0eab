import { exceptionOf } from '../../values/exception.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import { redacted } from '../../redact/censor.ts'
import type { Censor, RedactState } from '../../redact/redact.ts'
import { redactedStack, stacktraceWithCauses } from '../../values/stacktrace.ts'
import { callHook, hookIsRunning } from '../hooks.ts'
import { Members, type Member } from './members.ts'

/** An Error that is a value like any other: its type, message, stack, own properties, cause and errors as members. */
export function errorMembers(
  error: object,
  state: RedactState,
  path: readonly string[],
  limits: ResolvedLimits,
): Members {
  const exception = exceptionOf(error)
  // Its causes are members of their own here, so only its own part of the stack is asked for.
  const alone = { ...exception, cause: undefined, errors: undefined }
  const stack = stacktraceWithCauses(error, alone, {
    frames: limits.stackFrames,
    cover: redactWith(state, path),
    read: exceptionOf,
  })
  const members: Member[] = [
    { key: 'type', rule: state.step('name').censor === undefined ? 'type' : 'name', value: exception.type },
    { key: 'message', rule: 'message', value: exception.message },
  ]
  if (exception.stacktrace !== undefined) members.push({ key: 'stacktrace', rule: 'stack', value: stack.text })
  const { properties } = exception
  for (const [key, value] of properties.slice(0, limits.items)) members.push({ key, rule: key, value })
  if (exception.cause !== undefined) members.push({ key: 'cause', rule: 'cause', value: exception.cause })
  if (exception.errors !== undefined) members.push({ key: 'errors', rule: 'errors', value: exception.errors })
  return new Members(members, members.length + Math.max(0, properties.length - limits.items))
}

/**
 * An Error that other rules have made data already: what these rules cover of its message must not stay in its stack.
 * Members of anything else are left alone.
 */
export function errorData(members: Members, state: RedactState, path: readonly string[]): Members {
  const [type, message, stacktrace, ...others] = members.entries
  if (type?.key !== 'type' || message?.key !== 'message' || stacktrace?.key !== 'stacktrace') return members
  const { value: text } = message
  const { value: stack } = stacktrace
  if (typeof text !== 'string' || typeof stack !== 'string') return members
  const cover = redactWith(state, path)
  const replacement = text === '' ? undefined : cover(['message'], text)
  const left = replacement === undefined ? stack : redactedStack(stack, text, replacement)
  const value = cover(['stacktrace'], left) ?? left
  return new Members([type, message, { key: 'stacktrace', rule: 'stack', value }, ...others], members.size)
}

/**
 * Answers what stands in place of a member that the rules below `state` cover; undefined when they do not. `from` leads
 * from the attributes to the object whose members are asked for.
 */
export function redactWith(
  state: RedactState,
  from: readonly string[],
): (path: readonly string[], value: unknown) => string | undefined {
  return (path, value) => {
    let place = state
    for (const key of path) {
      place = place.step(key)
      if (place.censor !== undefined) return censorText(place.censor, value, [...from, ...path])
    }
    return undefined
  }
}

/** A censor's answer inside a text: '' when it removes. */
export function censorText(censor: Censor, value: unknown, path: readonly string[]): string {
  if (censor.remove) return ''
  // A censor that logs what it censors would be asked for ever.
  const answer = hookIsRunning(censor) ? redacted : callHook(censor, () => censor.replace(value, path))
  if (typeof answer === 'string') return answer
  const isObject = typeof answer === 'object' && answer !== null
  return isObject || typeof answer === 'function' ? redacted : String(answer)
}
