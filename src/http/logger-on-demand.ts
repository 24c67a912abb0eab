import type { Logger } from '../logger/types.ts'
import { ownCopy } from '../options/own-members.ts'

/** A logger that is made when something of it is asked for: a child costs as much as two records, and most requests have no use for one. */
export function loggerOnDemand(make: () => Logger): Logger {
  const traps: ProxyHandler<object> = {
    get: (_, key) => Reflect.get(make(), key) as unknown,
    set: (_, key, value) => Reflect.set(make(), key, value),
    has: (_, key) => Reflect.has(make(), key),
    ownKeys: () => Reflect.ownKeys(make()),
    defineProperty: (_, key, member) => Reflect.defineProperty(make(), key, member),
    deleteProperty: (_, key) => Reflect.deleteProperty(make(), key),
    // A proxy whose target cannot change may say of it nothing but what it has.
    preventExtensions: () => false,
    getOwnPropertyDescriptor: (_, key) => configurable(Reflect.getOwnPropertyDescriptor(make(), key)),
    getPrototypeOf: () => Reflect.getPrototypeOf(make()),
  }
  return new Proxy(Object.create(null) as object, ownCopy(traps)) as unknown as Logger
}

/** A proxy may not claim that a member is fixed which its target does not have. */
function configurable(member: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  return member === undefined ? undefined : ownCopy({ ...member, configurable: true })
}
