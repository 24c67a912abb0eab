/**
 * Returns the value of an own member; undefined for one with a getter, which is not called. A descriptor inherits from
 * `Object.prototype`, so its members are read only if they are own: another library may have added members there.
 */
export function valueOf(object: object, key: PropertyKey): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, key)
  return descriptor !== undefined && Object.hasOwn(descriptor, 'value') ? descriptor.value : undefined
}

/** Returns the getter of an own member; undefined for one without. */
export function getterOf(object: object, key: PropertyKey): (() => unknown) | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(object, key)
  return descriptor !== undefined && Object.hasOwn(descriptor, 'get') ? descriptor.get : undefined
}
