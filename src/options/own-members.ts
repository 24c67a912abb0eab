/**
 * Returns a member of an object or of its class. Members of `Object.prototype`, where another library may have put some, are never read,
 * because they are members of every object.
 */
export function member<T extends object, K extends keyof T>(object: T, key: K): T[K] | undefined {
  return key in plainObject ? ownOrInherited(object, key) : object[key]
}

/**
 * Returns whether there is a `toJSON` on `Object.prototype`. Separate from `isOnEveryObject('toJSON')`, because it is called for
 * each logged object: a lookup of one constant name is several times faster than one of any name.
 */
export function isToJSONPolluted(): boolean {
  return 'toJSON' in plainObject
}

/**
 * Returns whether there is a `cause` on `Object.prototype`. Separate like `isToJSONPolluted`, because it is called for each
 * logged error.
 */
export function isCausePolluted(): boolean {
  return 'cause' in plainObject
}

/** Returns whether an object has an own member of this name. The result narrows a union type. */
export function hasOwn<T extends object, K extends PropertyKey>(
  object: T,
  key: K,
): object is Extract<T, { readonly [key in K]: unknown }> {
  return Object.hasOwn(object, key)
}

/**
 * Returns whether there is a `context` on `Object.prototype`. Separate like `isToJSONPolluted`, because it is called for each
 * record of a program with OpenTelemetry's API.
 */
export function isContextPolluted(): boolean {
  return 'context' in plainObject
}

/**
 * Returns whether there is a `stack` on `Object.prototype`. Separate like `isToJSONPolluted`, because it is called for each
 * logged error.
 */
export function isStackPolluted(): boolean {
  return 'stack' in plainObject
}

/** Returns whether every object has a member of this name: one of the language, or one that was put on `Object.prototype`. */
export function isOnEveryObject(key: PropertyKey): boolean {
  return key in plainObject
}

/** Returns some members of an object or of its class, as `member` does, in an object that inherits nothing. */
export function membersOf<T extends object, K extends keyof T>(
  object: T,
  keys: readonly K[],
): { readonly [key in K]: T[key] | undefined } {
  const copy = Object.create(null) as Record<K, T[K] | undefined>
  for (const key of keys) copy[key] = member(object, key)
  return copy as { readonly [key in K]: T[key] | undefined }
}

/** Returns a member of an object or of its prototypes, except `Object.prototype`. */
function ownOrInherited<T extends object, K extends keyof T>(object: T, key: K): T[K] | undefined {
  let holder: object | null = object
  while (holder !== null && holder !== Object.prototype) {
    if (Object.hasOwn(holder, key)) return Reflect.get(holder, key, object)
    holder = Object.getPrototypeOf(holder) as object | null
  }
  return undefined
}

/**
 * Returns a copy of an options object with its own members and no prototype, so that later reads see neither `Object.prototype`
 * nor changes. A value that is not an object is returned unchanged, for the checks to report.
 */
export function withoutPrototype<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  // V8 reads such an object six times faster than one of Object.create(null).
  return Object.setPrototypeOf({ ...value }, null) as T
}

/**
 * Returns whether `Object.prototype` has members that were put on it: any that is enumerable, or one with a name that is read
 * from records. It takes some nanoseconds, so hot paths can call it.
 */
export function isObjectPrototypePolluted(): boolean {
  // oxlint-disable-next-line guard-for-in
  for (const _ in plainObject) return true
  return (
    'attributes' in plainObject ||
    'body' in plainObject ||
    'cause' in plainObject ||
    'context' in plainObject ||
    'droppedAttributesCount' in plainObject ||
    'eventName' in plainObject ||
    'exception' in plainObject ||
    'observedTimestamp' in plainObject ||
    'severityNumber' in plainObject ||
    'severityText' in plainObject ||
    'spanContext' in plainObject ||
    'timestamp' in plainObject
  )
}

/** An object that inherits only what every object inherits. */
const plainObject = {}
