import { setMember } from '../../options/define-member.ts'
import type { HookFailures } from './hook-failures.ts'

/** Returns an object's own enumerable string keys in order; none if reading them throws. */
export function hostileKeys(source: object): string[] {
  try {
    return Object.keys(source)
  } catch {
    return [] // a revoked proxy
  }
}

/** Sets a member of any name, except a `toJSON` function, which would replace the whole record. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === 'toJSON' && typeof value === 'function') return
  setMember(target, key, value)
}

/** Copies an object's own members into `target`. A member whose getter throws is replaced by a marker. */
export function copyMembers(
  target: Record<string, unknown>,
  source: object,
  hookFailures: HookFailures,
): Record<string, unknown> {
  for (const key of hostileKeys(source)) setOwn(target, key, readMember(source, key, hookFailures))
  return target
}

/** Returns a member, or a marker of the error that its getter threw. */
function readMember(source: object, key: string, hookFailures: HookFailures): unknown {
  try {
    return (source as Record<string, unknown>)[key]
  } catch (error) {
    return hookFailures.threw(`the getter of ${JSON.stringify(key)}`, error)
  }
}
