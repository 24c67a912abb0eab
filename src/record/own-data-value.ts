/**
 * Returns the value of an own member; undefined if it is missing or has a getter, which is not called. The property descriptor
 * inherits from `Object.prototype`, where another library may have added a `value`, so only its own members are read.
 */
export function ownDataValue(object: object, key: PropertyKey): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, key)
  return descriptor !== undefined && Object.hasOwn(descriptor, 'value') ? descriptor.value : undefined
}

/** Returns the getter of an own member; undefined if it is missing or has no getter. */
export function ownGetter(object: object, key: PropertyKey): (() => unknown) | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(object, key)
  return descriptor !== undefined && Object.hasOwn(descriptor, 'get') ? descriptor.get : undefined
}
