import { inspect, types } from 'node:util'
import { define } from '../options/define-member.ts'
import { getterOf, valueOf } from '../record/value-of.ts'
import { member, ownCopy } from '../options/own-members.ts'

/**
 * Whether a copy of an object would not be shown as the object is: proxies, functions, objects of a class with its own way to be
 * shown or turned to text, and built-ins whose inside no copy has.
 */
export function isOpaque(value: object): boolean {
  if (types.isProxy(value)) return true
  if (types.isStringObject(value)) return false
  if (isBuiltIn(value)) return true
  for (const key of ownTexts) {
    const own = member(value as Record<PropertyKey, unknown>, key)
    if (typeof own === 'function' && !isUsual(own)) return true
  }
  return false
}

/** What makes text of an object: a copy that lacks private members could throw in it. */
const ownTexts: readonly PropertyKey[] = [inspect.custom, 'toJSON', 'toString', 'valueOf', Symbol.toPrimitive]

const usualTexts: ReadonlySet<unknown> = new Set(
  [Object, Array, Error, Function].flatMap(({ prototype }) => [prototype.toString, prototype.valueOf]),
)

/** Whether a method is the language's own, of this realm or of another one, such as a vm context. */
function isUsual(method: object): boolean {
  return usualTexts.has(method) || nativeText.test(Function.prototype.toString.call(method))
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

/** Whether code of an object makes the text that Node shows of it. */
export function isInspectedByCode(value: object): boolean {
  return typeof (value as Record<symbol, unknown>)[inspect.custom] === 'function'
}

const shownTexts = new WeakMap<object, string>()

/** An object that is shown as a text, without quotes. */
export function textInPlaceOf(text: string): object {
  const shown = Object.create(null) as object
  for (const key of [inspect.custom, 'toJSON', 'toString']) define(shown, key, { value: () => text })
  shownTexts.set(shown, text)
  return shown
}

/** The text of such an object; undefined for any other value. */
export function textShownBy(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? shownTexts.get(value) : undefined
}

/** How the parts of an object are copied. */
export interface CopyParts {
  /** Returns what is in place of a value. */
  readonly part: (value: unknown) => unknown
  /** Gets the copy before its parts are copied, so that cycles end. */
  readonly begun: (copy: object) => void
  /** Returns what a getter returns in the copy. undefined: getters are not called, and stay. */
  readonly read: ((get: () => unknown) => unknown) | undefined
  /** Whether the getters of the object's class are read too: the copy has them itself. */
  readonly ofClass: boolean
}

/** Returns a copy that Node shows as it shows the object, of its class and with its accessors. */
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
    // The characters of a text, and its length, which cannot be set.
    const isOfText = types.isStringObject(value) && descriptor?.configurable === false
    if (descriptor === undefined || isStack || isOfText) continue
    if (Object.hasOwn(descriptor, 'value')) define(copy, key, { ...descriptor, value: part(descriptor.value) })
    else define(copy, key, read === undefined ? descriptor : readOnce(descriptor, read))
  }
  if (ofClass && read !== undefined) addClassGetters(copy, value, read)
  return copy
}

/** V8 has the stack of an Error behind an accessor, unless it was set as a value. */
function addStack(copy: object, own: PropertyDescriptor | undefined, stack: unknown): void {
  const kept = { enumerable: own?.enumerable === true, configurable: true }
  if (own === undefined || Object.hasOwn(own, 'value')) define(copy, 'stack', { ...kept, value: stack, writable: true })
  else define(copy, 'stack', { ...kept, get: () => stack, set: own.set })
}

/** How many classes of an object Node asks for getters. */
const mostClasses = 3

/** Adds the getters of classes of the program, as Node shows them: behind the object's own members. */
function addClassGetters(copy: object, value: object, read: (get: () => unknown) => unknown): void {
  let prototype = Object.getPrototypeOf(value) as object | null
  for (let count = 0; count < mostClasses && prototype !== null && !isOfLanguage(prototype); count++) {
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

/** An accessor that returns what its getter has returned once. */
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
