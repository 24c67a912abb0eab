import { setMember } from '../../options/define-member.ts'
import type { HookFailures } from './hook-failures.ts'

/** An object's own enumerable names, in order; none where asking for them throws. */
export function hostileKeys(source: object): string[] {
  try {
    return Object.keys(source)
  } catch {
    return [] // a revoked proxy
  }
}

/** Sets a member, whatever it is called. A `toJSON` would speak for the whole record. */
export function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === 'toJSON' && typeof value === 'function') return
  setMember(target, key, value)
}

/** Copies an object's own members into `target`; where reading one throws, that is marked. */
export function copyMembers(
  target: Record<string, unknown>,
  source: object,
  hookFailures: HookFailures,
): Record<string, unknown> {
  for (const key of hostileKeys(source)) put(target, key, readMember(source, key, hookFailures))
  return target
}

/** A member, or the mark of what its getter threw. */
function readMember(source: object, key: string, hookFailures: HookFailures): unknown {
  try {
    return (source as Record<string, unknown>)[key]
  } catch (error) {
    return hookFailures.threw(`the getter of ${JSON.stringify(key)}`, error)
  }
}
