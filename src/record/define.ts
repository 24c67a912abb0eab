/**
 * `Object.defineProperty` with a descriptor that inherits nothing: `get` or `value` on `Object.prototype`, put there by somebody
 * else, would make it throw.
 */
export function define(target: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, key, Object.assign(Object.create(null) as PropertyDescriptor, descriptor))
}
