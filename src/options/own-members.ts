/**
 * Returns a member of an object or of its class. Members that another library has put on `Object.prototype` are never read, not
 * even a getter: they would be members of every object.
 */
export function member<T extends object, K extends keyof T>(object: T, key: K): T[K] | undefined {
  return key in empty ? ownOrInherited(object, key) : object[key]
}

/**
 * Returns whether there is a `toJSON` on `Object.prototype`. Separate from `isOnEveryObject('toJSON')`, because it is called for
 * each logged object: a lookup of one constant name is several times faster than one of any name.
 */
export function isToJSONPolluted(): boolean {
  return 'toJSON' in empty
}

/**
 * Returns whether there is a `cause` on `Object.prototype`. Separate like `isToJSONPolluted`, because it is called for each
 * logged error.
 */
export function isCausePolluted(): boolean {
  return 'cause' in empty
}

/** Returns whether an object has an own member of this name, which narrows a union type. */
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
  return 'context' in empty
}

/**
 * Returns whether there is a `stack` on `Object.prototype`. Separate like `isToJSONPolluted`, because it is called for each
 * logged error.
 */
export function isStackPolluted(): boolean {
  return 'stack' in empty
}

/** Returns whether every object has a member of this name: one of the language, or one that was put on `Object.prototype`. */
export function isOnEveryObject(key: PropertyKey): boolean {
  return key in empty
}

/** Returns some members of an object or of its class, as `member` does, in an object that inherits nothing. */
export function membersOf<T extends object, K extends keyof T>(
  object: T,
  keys: readonly K[],
): { readonly [key in K]: T[key] | undefined } {
  const found = Object.create(null) as Record<K, T[K] | undefined>
  for (const key of keys) found[key] = member(object, key)
  return found as { readonly [key in K]: T[key] | undefined }
}

/** Returns a member that an object or one of its classes has, `Object.prototype` excepted. */
function ownOrInherited<T extends object, K extends keyof T>(object: T, key: K): T[K] | undefined {
  let owner: object | null = object
  while (owner !== null && owner !== Object.prototype) {
    if (Object.hasOwn(owner, key)) return Reflect.get(owner, key, object)
    owner = Object.getPrototypeOf(owner) as object | null
  }
  return undefined
}

/**
 * Returns a copy of an options object with its own members and no prototype, so that later reads see neither `Object.prototype`
 * nor changes. A value that is not an object is returned unchanged, for the checks to report.
 */
export function ownCopy<T>(given: T): T {
  if (typeof given !== 'object' || given === null) return given
  // V8 reads such an object six times faster than one of Object.create(null).
  return Object.setPrototypeOf({ ...given }, null) as T
}

/**
 * Returns whether `Object.prototype` has members that were put on it: any that is enumerable, or one with a name that is read
 * from records. It takes some nanoseconds, so hot paths can call it.
 */
export function isPolluted(): boolean {
  // oxlint-disable-next-line guard-for-in
  for (const _ in empty) return true
  return (
    'attributes' in empty ||
    'body' in empty ||
    'cause' in empty ||
    'context' in empty ||
    'droppedAttributesCount' in empty ||
    'eventName' in empty ||
    'exception' in empty ||
    'observedTimestamp' in empty ||
    'severityNumber' in empty ||
    'severityText' in empty ||
    'spanContext' in empty ||
    'timestamp' in empty
  )
}

const empty = {}
