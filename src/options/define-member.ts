import { isOnEveryObject } from './own-members.ts'

/**
 * Calls `Object.defineProperty` with a descriptor that inherits nothing: a `get` or `value` that another library has put on
 * `Object.prototype` would make it throw.
 */
export function define(target: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, key, Object.assign(Object.create(null) as PropertyDescriptor, descriptor))
}

/**
 * Adds the own enumerable members of other objects to an object, as `Object.assign` does. Members are defined, because an assignment
 * fails or calls a setter if `Object.prototype` has a read-only member or an accessor of that name.
 */
export function addMembers<T extends object, M extends object>(target: T, members: M): T & M
/** Adds the members of several objects. Later ones override earlier ones. */
export function addMembers<T extends object>(target: T, ...sources: readonly (object | null | undefined)[]): T
export function addMembers(target: object, ...sources: readonly (object | null | undefined)[]): object {
  for (const source of sources) {
    const own = { ...source } as Record<PropertyKey, unknown>
    for (const key of Reflect.ownKeys(own)) setMember(target, key, own[key])
  }
  return target
}

/** Sets one member, as an assignment does if `Object.prototype` has no such member. */
export function setMember(target: object, key: PropertyKey, value: unknown): void {
  if (isOnEveryObject(key)) define(target, key, { value, writable: true, enumerable: true, configurable: true })
  else (target as Record<PropertyKey, unknown>)[key] = value
}
