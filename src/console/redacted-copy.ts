import { inspect, types } from 'node:util'
import { define } from '../options/define-member.ts'
import { getterOf, valueOf } from '../record/value-of.ts'
import { member, ownCopy } from '../options/own-members.ts'

/**
 * Returns whether a copy of an object would be displayed differently from the object: proxies, functions, objects of a class with a
 * custom inspection or text conversion method, and built-ins with internal state that cannot be copied.
 */
export function isOpaque(value: object): boolean {
  if (types.isProxy(value)) return true
  if (types.isStringObject(value)) return false
  if (isBuiltIn(value)) return true
  for (const key of textMethods) {
    const own = member(value as Record<PropertyKey, unknown>, key)
    if (typeof own === 'function' && !isBuiltInMethod(own)) return true
  }
  return false
}

/** Methods that convert an object to text. They could throw on a copy, which lacks private members. */
const textMethods: readonly PropertyKey[] = [inspect.custom, 'toJSON', 'toString', 'valueOf', Symbol.toPrimitive]

const builtInTextMethods: ReadonlySet<unknown> = new Set(
  [Object, Array, Error, Function].flatMap(({ prototype }) => [prototype.toString, prototype.valueOf]),
)

/** Returns whether a method is built into the language, in this realm or in another one, such as a vm context. */
function isBuiltInMethod(method: object): boolean {
  return builtInTextMethods.has(method) || nativeText.test(Function.prototype.toString.call(method))
}

const nativeText = /^function (?:toString|valueOf)\(\) \{ \[native code\] \}$/

function isBuiltIn(value: object): boolean {
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
export function isInspectedByCode(value: object): boolean {
  return typeof (value as Record<symbol, unknown>)[inspect.custom] === 'function'
}

const shownTexts = new WeakMap<object, string>()

/** Creates an object that is displayed as the given text, without quotes. */
export function displayedAs(text: string): object {
  const shown = Object.create(null) as object
  for (const key of [inspect.custom, 'toJSON', 'toString']) define(shown, key, { value: () => text })
  shownTexts.set(shown, text)
  return shown
}

/** Returns the text of an object created by `displayedAs`; undefined for any other value. */
export function displayedText(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? shownTexts.get(value) : undefined
}

/** How the parts of an object are copied. */
export interface CopyParts {
  /** Returns the replacement of a value. */
  readonly part: (value: unknown) => unknown
  /** Receives the copy before its parts are copied, so that cycles end. */
  readonly begun: (copy: object) => void
  /** Returns the value of a getter in the copy; undefined: getters are not called, and are copied as they are. */
  readonly read: ((get: () => unknown) => unknown) | undefined
  /** Whether the getters of the object's class are also read, and copied as own members. */
  readonly ofClass: boolean
}

/** Returns a copy that Node displays like the object, with the same prototype and accessors. */
export function copyOf(value: object, { part, begun, read, ofClass }: CopyParts): object {
  const copy = emptyLike(value, part)
  begun(copy)
  if (types.isMap(value)) {
    for (const [key, item] of Map.prototype.entries.call(value)) Map.prototype.set.call(copy, part(key), part(item))
  }
  if (types.isSet(value)) for (const item of Set.prototype.values.call(value)) Set.prototype.add.call(copy, part(item))
  if (types.isNativeError(value))
    addStack(copy, Object.getOwnPropertyDescriptor(value, 'stack'), part(member(value, 'stack')))
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = ownCopy(Object.getOwnPropertyDescriptor(value, key))
    const isStack = key === 'stack' && types.isNativeError(value)
    // The characters and the length of a String object cannot be set.
    const isStringIndex = types.isStringObject(value) && descriptor?.configurable === false
    if (descriptor === undefined || isStack || isStringIndex) continue
    if (Object.hasOwn(descriptor, 'value')) define(copy, key, { ...descriptor, value: part(descriptor.value) })
    else define(copy, key, read === undefined ? descriptor : readOnce(descriptor, read))
  }
  if (ofClass && read !== undefined) addClassGetters(copy, value, read)
  return copy
}

/** Sets the stack of a copied Error. V8 stores it behind an accessor unless it was set as a value. */
function addStack(copy: object, own: PropertyDescriptor | undefined, stack: unknown): void {
  const kept = { enumerable: own?.enumerable === true, configurable: true }
  if (own === undefined || Object.hasOwn(own, 'value')) define(copy, 'stack', { ...kept, value: stack, writable: true })
  else define(copy, 'stack', { ...kept, get: () => stack, set: own.set })
}

/** How many prototypes of an object Node searches for getters. */
const maxClasses = 3

/** Adds the getters of non-built-in classes after the object's own members, in Node's order. */
function addClassGetters(copy: object, value: object, read: (get: () => unknown) => unknown): void {
  let prototype = Object.getPrototypeOf(value) as object | null
  for (let count = 0; count < maxClasses && prototype !== null && !isOfLanguage(prototype); count++) {
    for (const key of Reflect.ownKeys(prototype)) {
      if (getterOf(prototype, key) === undefined || Object.hasOwn(copy, key)) continue
      define(copy, key, readOnce(Object.getOwnPropertyDescriptor(prototype, key)!, read))
    }
    prototype = Object.getPrototypeOf(prototype) as object | null
  }
}

function isOfLanguage(prototype: object): boolean {
  const own = valueOf(prototype, 'constructor')
  return typeof own === 'function' && Function.prototype.toString.call(own).endsWith('{ [native code] }')
}

/** Returns an accessor that always returns the value its getter returned once. */
function readOnce(accessor: PropertyDescriptor, read: (get: () => unknown) => unknown): PropertyDescriptor {
  // oxlint-disable-next-line typescript/unbound-method
  const { get } = accessor
  if (get === undefined) return accessor
  const value = read(get)
  return { ...accessor, get: () => value }
}

function emptyLike(value: object, part: (value: unknown) => unknown): object {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (types.isStringObject(value)) return Object(part(String.prototype.valueOf.call(value))) as object
  const made: object = Array.isArray(value)
    ? []
    : types.isMap(value)
      ? new Map()
      : types.isSet(value)
        ? new Set()
        : types.isNativeError(value)
          ? new Error('')
          : {}
  return Object.setPrototypeOf(made, prototype as object | null) as object
}
