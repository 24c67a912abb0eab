import { setMember } from '../../options/define-member.ts'
import type { HookFailureReporter } from './hook-failures.ts'

/** Returns an object's own enumerable string keys in order; none if reading them throws. */
export function safeKeys(source: object): string[] {
  try {
    return Object.keys(source)
  } catch {
    return [] // a revoked proxy
  }
}

/** Sets a member of a record. A `toJSON` function is omitted, because its result would replace the whole record. */
export function setRecordMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === 'toJSON' && typeof value === 'function') return
  setMember(target, key, value)
}

/**
 * Copies an object's own enumerable members with string keys into `target`, without a `toJSON` function. A member whose getter throws is
 * replaced by a marker.
 */
export function copyMembers(
  target: Record<string, unknown>,
  source: object,
  hookFailures: HookFailureReporter,
): Record<string, unknown> {
  for (const key of safeKeys(source)) setRecordMember(target, key, readMember(source, key, hookFailures))
  return target
}

/** Returns a member, or a marker of the error that its getter threw. */
function readMember(source: object, key: string, hookFailures: HookFailureReporter): unknown {
  try {
    return (source as Record<string, unknown>)[key]
  } catch (error) {
    return hookFailures.reportThrow(`the getter of ${JSON.stringify(key)}`, error)
  }
}
