import type { Logger } from '../logger/types.ts'
import { ownCopy } from '../options/own-members.ts'

/**
 * Returns a proxy that creates the logger on first access: a child costs as much as two records, and most requests do not use one.
 */
export function loggerOnDemand(getLogger: () => Logger): Logger {
  const traps: ProxyHandler<object> = {
    get: (_, key) => Reflect.get(getLogger(), key) as unknown,
    set: (_, key, value) => Reflect.set(getLogger(), key, value),
    has: (_, key) => Reflect.has(getLogger(), key),
    ownKeys: () => Reflect.ownKeys(getLogger()),
    defineProperty: (_, key, member) => Reflect.defineProperty(getLogger(), key, member),
    deleteProperty: (_, key) => Reflect.deleteProperty(getLogger(), key),
    // A proxy with a non-extensible target may report only members that the target has.
    preventExtensions: () => false,
    getOwnPropertyDescriptor: (_, key) => configurable(Reflect.getOwnPropertyDescriptor(getLogger(), key)),
    getPrototypeOf: () => Reflect.getPrototypeOf(getLogger()),
  }
  return new Proxy(Object.create(null) as object, ownCopy(traps)) as unknown as Logger
}

/** Makes a descriptor configurable, because a proxy may not report a non-configurable member that its target does not have. */
function configurable(member: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  return member === undefined ? undefined : ownCopy({ ...member, configurable: true })
}
