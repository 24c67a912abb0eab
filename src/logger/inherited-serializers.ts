import type { ChildOptions } from './types.ts'
import { member } from '../options/own-members.ts'

/**
 * Frameworks let the serializers of a route inherit from those of its plugin, by their prototypes: those are given as well.
 * What stands on a realm's own `Object.prototype` is nobody's serializer.
 */
export function withInheritedSerializers(options: ChildOptions): ChildOptions {
  try {
    return gathered(options)
  } catch {
    return options // a getter or a proxy, of which whoever reads the options tells
  }
}

function gathered(options: ChildOptions): ChildOptions {
  const serializers = member(Object(options) as ChildOptions, 'serializers')
  if (typeof serializers !== 'object' || serializers === null) return options
  const parent: unknown = Object.getPrototypeOf(serializers)
  if (!isBag(parent)) return options
  const chain: object[] = []
  for (let bag: unknown = serializers; isBag(bag) && chain.length < longestChain; bag = Object.getPrototypeOf(bag)) {
    chain.unshift(bag)
  }
  return { ...options, serializers: Object.assign(Object.create(null), ...chain) as ChildOptions['serializers'] }
}

/** A proxy can claim to have any number of prototypes. */
const longestChain = 100

function isBag(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.hasOwn(value, 'hasOwnProperty')
}
