import type { ChildOptions } from '../../logger/types.ts'
import { member } from '../../options/own-members.ts'

/**
 * Returns the options with inherited serializers as own members. Frameworks let the serializers of a route inherit from those of
 * its plugin by prototype. Members of a realm's `Object.prototype` are not serializers.
 */
export function withInheritedSerializers(options: ChildOptions): ChildOptions {
  try {
    return withOwnSerializers(options)
  } catch {
    return options // A getter or a proxy that throws is reported where the options are checked.
  }
}

function withOwnSerializers(options: ChildOptions): ChildOptions {
  const serializers = member(Object(options) as ChildOptions, 'serializers')
  if (typeof serializers !== 'object' || serializers === null) return options
  const parent: unknown = Object.getPrototypeOf(serializers)
  if (!isUserObject(parent)) return options
  const chain: object[] = []
  for (
    let link: unknown = serializers;
    isUserObject(link) && chain.length < maxChainLength;
    link = Object.getPrototypeOf(link)
  ) {
    chain.unshift(link)
  }
  return { ...options, serializers: Object.assign(Object.create(null), ...chain) as ChildOptions['serializers'] }
}

/** The maximum length of the prototype chain, because a proxy can report any number of prototypes. */
const maxChainLength = 100

/** Returns whether a value is an object, but not the `Object.prototype` of any realm, which has the own member `hasOwnProperty`. */
function isUserObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.hasOwn(value, 'hasOwnProperty')
}
