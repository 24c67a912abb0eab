import { isOnEveryObject } from './own-members.ts'

/**
 * Calls `Object.defineProperty` with a descriptor that inherits nothing. Otherwise a `get` or `value` that another library has put on
 * `Object.prototype` could make it throw.
 */
export function define(target: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, key, Object.assign(Object.create(null) as PropertyDescriptor, descriptor))
}

/**
 * Adds the own enumerable members of an object to another one, as `Object.assign` does, but unaffected by `Object.prototype` (see
 * `setMember`).
 */
export function addMembers<T extends object, M extends object>(target: T, members: M): T & M
/** Adds the members of several objects. Later ones override earlier ones. */
export function addMembers<T extends object>(target: T, ...sources: readonly (object | null | undefined)[]): T
export function addMembers(target: object, ...sources: readonly (object | null | undefined)[]): object {
  for (const source of sources) {
    const copy = { ...source } as Record<PropertyKey, unknown>
    for (const key of Reflect.ownKeys(copy)) setMember(target, key, copy[key])
  }
  return target
}

/**
 * Sets one member, as an assignment does. A name that `Object.prototype` has is defined instead, because an assignment fails if the member
 * there is read-only, and calls the setter of an accessor.
 */
export function setMember(target: object, key: PropertyKey, value: unknown): void {
  if (isOnEveryObject(key)) define(target, key, { value, writable: true, enumerable: true, configurable: true })
  else (target as Record<PropertyKey, unknown>)[key] = value
}
