import { inspect, types } from 'node:util'
import { define } from '../options/define-member.ts'
import { ownGetter, ownDataValue } from '../record/own-data-value.ts'
import { member, withoutPrototype } from '../options/own-members.ts'

/**
 * Returns whether a copy of an object would be displayed differently from the object: proxies, functions, objects of a class with a
 * custom inspection or text conversion method, and built-ins with internal state that cannot be copied.
 */
export function isOpaque(value: object): boolean {
  if (types.isProxy(value)) return true
  if (types.isStringObject(value)) return false
  if (hasInternalState(value)) return true
  for (const key of textMethods) {
    const method = member(value as Record<PropertyKey, unknown>, key)
    if (typeof method === 'function' && !isBuiltInMethod(method)) return true
  }
  return false
}

/** Methods that convert an object to text. They could throw on a copy, which lacks private members. */
const textMethods: readonly PropertyKey[] = [inspect.custom, 'toJSON', 'toString', 'valueOf', Symbol.toPrimitive]

const builtInTextMethods: ReadonlySet<unknown> = new Set(
  [Object, Array, Error, Function].flatMap(({ prototype }) => [prototype.toString, prototype.valueOf]),
)

/** Returns whether `toString` or `valueOf` is built into the language, in this realm or in another one, such as a vm context. */
function isBuiltInMethod(method: object): boolean {
  return builtInTextMethods.has(method) || nativeMethodText.test(Function.prototype.toString.call(method))
}

const nativeMethodText = /^function (?:toString|valueOf)\(\) \{ \[native code\] \}$/

/** Returns whether an object is a function or built-in whose internal state cannot be copied. */
function hasInternalState(value: object): boolean {
  return (
    typeof value === 'function' ||
    types.isBoxedPrimitive(value) ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isPromise(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isMapIterator(value) ||
    types.isSetIterator(value) ||
    types.isGeneratorObject(value) ||
    types.isModuleNamespaceObject(value) ||
    types.isArgumentsObject(value) ||
    types.isExternal(value)
  )
}

/** Returns whether an object has a custom inspection function. */
export function hasCustomInspection(value: object): boolean {
  return typeof (value as Record<symbol, unknown>)[inspect.custom] === 'function'
}

const displayedTexts = new WeakMap<object, string>()

/** Creates an object that is displayed as the given text, without quotes. */
export function objectDisplayedAs(text: string): object {
  const shown = Object.create(null) as object
  for (const key of [inspect.custom, 'toJSON', 'toString']) define(shown, key, { value: () => text })
  displayedTexts.set(shown, text)
  return shown
}

/** Returns the text of an object created by `objectDisplayedAs`; undefined for any other value. */
export function displayedTextOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? displayedTexts.get(value) : undefined
}

/** How the parts of an object are copied. */
export interface CopyOptions {
  /** Returns the replacement of a value. */
  readonly copyPart: (value: unknown) => unknown
  /** Receives the copy before its parts are copied, so that cycles end. */
  readonly onCreated: (copy: object) => void
  /** Returns the value that the copy has for a getter. If it is undefined, getters are copied as accessors and not called. */
  readonly readGetter: ((get: () => unknown) => unknown) | undefined
  /** Whether the getters of the object's class are also read, and copied as own members. */
  readonly copiesClassGetters: boolean
}

/** Returns a copy that Node displays like the object. Accessors are copied as `readGetter` and `copiesClassGetters` specify. */
export function copyOf(value: object, { copyPart, onCreated, readGetter, copiesClassGetters }: CopyOptions): object {
  const copy = createEmptyCopy(value, copyPart)
  onCreated(copy)
  if (types.isMap(value)) {
    for (const [key, item] of Map.prototype.entries.call(value))
      Map.prototype.set.call(copy, copyPart(key), copyPart(item))
  }
  if (types.isSet(value))
    for (const item of Set.prototype.values.call(value)) Set.prototype.add.call(copy, copyPart(item))
  if (types.isNativeError(value))
    addStack(copy, Object.getOwnPropertyDescriptor(value, 'stack'), copyPart(member(value, 'stack')))
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = withoutPrototype(Object.getOwnPropertyDescriptor(value, key))
    const isStack = key === 'stack' && types.isNativeError(value)
    // The characters and the length of a String object cannot be set.
    const isStringIndex = types.isStringObject(value) && descriptor?.configurable === false
    if (descriptor === undefined || isStack || isStringIndex) continue
    if (Object.hasOwn(descriptor, 'value')) define(copy, key, { ...descriptor, value: copyPart(descriptor.value) })
    else define(copy, key, readGetter === undefined ? descriptor : fixedAccessor(descriptor, readGetter))
  }
  if (copiesClassGetters && readGetter !== undefined) addClassGetters(copy, value, readGetter)
  return copy
}

/** Sets the stack of a copied Error, as a value or as an accessor like that of V8, whichever the original has. */
function addStack(copy: object, original: PropertyDescriptor | undefined, stack: unknown): void {
  const attributes = { enumerable: original?.enumerable === true, configurable: true }
  if (original === undefined || Object.hasOwn(original, 'value'))
    define(copy, 'stack', { ...attributes, value: stack, writable: true })
  else define(copy, 'stack', { ...attributes, get: () => stack, set: original.set })
}

/** The number of prototypes of an object that Node searches for getters. */
const maxPrototypes = 3

/** Adds the getters of the object's classes that are not built in, after its own members, in Node's order. */
function addClassGetters(copy: object, value: object, readGetter: (get: () => unknown) => unknown): void {
  let prototype = Object.getPrototypeOf(value) as object | null
  for (let count = 0; count < maxPrototypes && prototype !== null && !isBuiltInPrototype(prototype); count++) {
    for (const key of Reflect.ownKeys(prototype)) {
      if (ownGetter(prototype, key) === undefined || Object.hasOwn(copy, key)) continue
      define(copy, key, fixedAccessor(Object.getOwnPropertyDescriptor(prototype, key)!, readGetter))
    }
    prototype = Object.getPrototypeOf(prototype) as object | null
  }
}

/** Returns whether an object is the prototype of a class that the language defines. */
function isBuiltInPrototype(prototype: object): boolean {
  const constructorFunction = ownDataValue(prototype, 'constructor')
  return (
    typeof constructorFunction === 'function' &&
    Function.prototype.toString.call(constructorFunction).endsWith('{ [native code] }')
  )
}

/** Reads the getter of an accessor, and returns one that always returns that value; the same accessor if it has no getter. */
function fixedAccessor(accessor: PropertyDescriptor, readGetter: (get: () => unknown) => unknown): PropertyDescriptor {
  // oxlint-disable-next-line typescript/unbound-method
  const { get } = accessor
  if (get === undefined) return accessor
  const value = readGetter(get)
  return { ...accessor, get: () => value }
}

/** Returns an object of the same kind and class without members; for a String object, one with its copied text. */
function createEmptyCopy(value: object, copyPart: (value: unknown) => unknown): object {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (types.isStringObject(value)) return Object(copyPart(String.prototype.valueOf.call(value))) as object
  const copy: object = Array.isArray(value)
    ? []
    : types.isMap(value)
      ? new Map()
      : types.isSet(value)
        ? new Set()
        : types.isNativeError(value)
          ? new Error('')
          : {}
  return Object.setPrototypeOf(copy, prototype as object | null) as object
}
