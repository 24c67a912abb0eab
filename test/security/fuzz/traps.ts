/** Throws. */
export function thrower(): never {
  throw new Error('no')
}

/** Handlers of a proxy, each of which throws. */
export const traps: ProxyHandler<object> = {
  get: thrower,
  getPrototypeOf: thrower,
  has: thrower,
  ownKeys: thrower,
  getOwnPropertyDescriptor: thrower,
}

/** A revoked proxy. */
export function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** A proxy that always has these members, each of them such a proxy again. */
export function endless(members: readonly string[]): object {
  const get = (_: object, key: string | symbol) => (members.includes(String(key)) ? endless(members) : undefined)
  const descriptor = { value: 0, enumerable: true, configurable: true }
  return new Proxy({}, { get, ownKeys: () => [...members], getOwnPropertyDescriptor: () => descriptor })
}

/** An array of any length, by its own account. */
export function pretending(length: unknown): object {
  return new Proxy([], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) })
}
