import { exceptionOf } from '../rules/exception.ts'
import type { ResolvedLimits } from '../rules/limits.ts'
import { redacted } from '../rules/redact-censor.ts'
import type { Censor, RedactState } from '../rules/redact.ts'
import { stacktraceWithCauses } from '../rules/stacktrace.ts'
import { Members, type Member } from './members.ts'

/** An Error that is a value like any other: its type, message, stack, own properties, cause and errors as members. */
export function errorMembers(error: object, state: RedactState, limits: ResolvedLimits): Members {
  const exception = exceptionOf(error)
  // Its causes are members of their own here, so only its own part of the stack is asked for.
  const alone = { ...exception, cause: undefined, errors: undefined }
  const stack = stacktraceWithCauses(error, alone, { frames: limits.stackFrames, cover: coverBy(state) })
  const members: Member[] = [
    { key: 'type', rule: 'type', value: exception.type },
    { key: 'message', rule: 'message', value: exception.message },
  ]
  if (exception.stacktrace !== undefined) members.push({ key: 'stacktrace', rule: 'stack', value: stack.text })
  for (const [key, value] of exception.properties) members.push({ key, rule: key, value })
  if (exception.cause !== undefined) members.push({ key: 'cause', rule: 'cause', value: exception.cause })
  if (exception.errors !== undefined) members.push({ key: 'errors', rule: 'errors', value: exception.errors })
  return new Members(members)
}

/** Answers what stands in place of a member that the rules below `state` cover; undefined when they do not. */
export function coverBy(state: RedactState): (path: readonly string[], value: unknown) => string | undefined {
  return (path, value) => {
    let place = state
    for (const key of path) {
      place = place.step(key)
      if (place.censor !== undefined) return censorText(place.censor, value, path)
    }
    return undefined
  }
}

/** A censor's answer inside a text: '' when it removes. */
export function censorText(censor: Censor, value: unknown, path: readonly string[]): string {
  if (censor.remove) return ''
  const answer = censor.replace(value, path)
  return typeof answer === 'object' || typeof answer === 'function' ? redacted : String(answer as string)
}
