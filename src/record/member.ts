/**
 * A member of an object or of its class. What somebody has put on `Object.prototype` is none: it would be a member of
 * everything.
 */
export function member<T extends object, K extends keyof T>(object: T, key: K): T[K] | undefined {
  const value = object[key]
  if (value === undefined || !Object.hasOwn(Object.prototype, key) || Object.hasOwn(object, key)) return value
  return value === (Object.prototype as T)[key] ? undefined : value
}

/** Whether `Object.prototype` has members that were assigned to it. Some nanoseconds, so that a hot path can ask. */
export function isPolluted(): boolean {
  // oxlint-disable-next-line guard-for-in
  for (const _ in empty) return true
  return false
}

const empty = {}
