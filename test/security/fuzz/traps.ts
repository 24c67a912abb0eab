/** Throws. */
export function thrower(): never {
  throw new Error('no')
}

/** Proxy handlers that all throw. */
export const traps: ProxyHandler<object> = {
  get: thrower,
  getPrototypeOf: thrower,
  has: thrower,
  ownKeys: thrower,
  getOwnPropertyDescriptor: thrower,
}

/** Creates a revoked proxy. */
export function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Creates a proxy with the given members, each of which is such a proxy again. */
export function endless(members: readonly string[]): object {
  const get = (_: object, key: string | symbol) => (members.includes(String(key)) ? endless(members) : undefined)
  const descriptor = { value: 0, enumerable: true, configurable: true }
  return new Proxy({}, { get, ownKeys: () => [...members], getOwnPropertyDescriptor: () => descriptor })
}

/** Creates an array that reports an arbitrary length. */
export function pretending(length: unknown): object {
  return new Proxy([], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) })
}
