import type { CapturedParts, Resolver } from '../encode/resolve.ts'
import { BoundState, type BoundNames, type BoundOrigin } from '../record/bound.ts'

/** The attributes of `withContext`, and the states that loggers have derived from them. */
export interface ContextAttributes {
  /** The attributes, and how many were dropped. */
  readonly bound: BoundState
  /** Each logger's state with the attributes of the context added. */
  readonly bounds: CombinedBounds
}

/**
 * The states that loggers have derived from a context. A request has a context, and usually one logger that writes in it: one slot for
 * that logger is cheaper, above all for the garbage collector, than a WeakMap for each context.
 */
export class CombinedBounds {
  #bound: BoundState | undefined
  #combined: BoundState | undefined
  #others: WeakMap<BoundState, BoundState> | undefined

  get(bound: BoundState): BoundState | undefined {
    return bound === this.#bound ? this.#combined : this.#others?.get(bound)
  }

  set(bound: BoundState, combined: BoundState): this {
    if (this.#bound === undefined) {
      this.#bound = bound
      this.#combined = combined
    } else {
      this.#others ??= new WeakMap()
      this.#others.set(bound, combined)
    }
    return this
  }
}

/** Returns a logger's state with the attributes of the context, which override the logger's own. Derived once for each pair. */
export function withContextAttributes(
  bound: BoundState,
  context: ContextAttributes,
  resolver: Resolver,
  limit: number,
): BoundState {
  const known = context.bounds.get(bound)
  if (known !== undefined) return known
  // The context was captured without this logger's rules.
  const { origin, names, values } = extension(bound, resolver.captureBound(context.bound), limit)
  const combined = new BoundState(origin, bound, names, values)
  context.bounds.set(bound, combined)
  return combined
}

/** The state of no logger: what contexts without an outer one extend. */
const unbound = BoundState.of({
  scope: { name: undefined, version: undefined },
  resource: { attributes: new Map(), serviceName: undefined },
  messagePrefix: '',
  context: undefined,
  droppedAttributes: 0,
})

/** Returns the state of a context: captured attributes, and those of the context around it. */
export function contextState(outer: BoundState | undefined, own: CapturedParts): BoundState {
  const parent = outer ?? unbound
  const { origin, names, values } = extension(parent, own, Infinity)
  return new BoundState(origin, parent, names, values)
}

/** What a state adds to its parent's. */
export interface BoundExtension {
  readonly origin: BoundOrigin
  readonly names: BoundNames
  readonly values: BoundState['values']
}

/** Adds captured attributes to a state; new names over the limit are dropped and counted. */
export function extension(bound: BoundState, own: CapturedParts, limit: number, messagePrefix = ''): BoundExtension {
  const names = bound.names.extended(own)
  const excess = names.size - Math.max(limit, bound.names.size)
  if (excess > 0) return extension(bound, withoutLast(bound, own, excess), limit, messagePrefix)
  const { origin } = bound
  if (own.dropped === 0 && messagePrefix === '') return { origin, names, values: own.values }
  return {
    origin: {
      ...origin,
      messagePrefix: origin.messagePrefix + messagePrefix,
      droppedAttributes: origin.droppedAttributes + own.dropped,
    },
    names,
    values: own.values,
  }
}

/** The same attributes without the last new ones. */
function withoutLast(bound: BoundState, { names, values, dropped }: CapturedParts, excess: number): CapturedParts {
  const surplus = new Set(names.filter((name) => !bound.names.has(name)).slice(-excess))
  const isKept = (_: unknown, index: number): boolean => !surplus.has(names[index]!)
  return {
    names: names.filter(isKept),
    values: values.filter(isKept),
    shape: undefined,
    dropped: dropped + surplus.size,
  }
}
