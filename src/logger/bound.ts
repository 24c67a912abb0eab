import type { CapturedParts, Resolver } from '../encode/walk/resolve.ts'
import { BoundState, unbound, type BoundOrigin } from '../record/bound.ts'

/** The attributes of `withContext`, and the states that loggers have derived from them. */
export interface ContextAttributes {
  /** The attributes, and how many were dropped. */
  readonly bound: BoundState
  /** Each logger's state with the attributes of the context added. */
  readonly bounds: CombinedBounds
}

/**
 * The states that loggers have derived from a context. A request has a context, and usually only one logger writes in it: one
 * slot for that logger costs less, above all for the garbage collector, than a WeakMap for each context.
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
  const cached = context.bounds.get(bound)
  if (cached !== undefined) return cached
  const combined = resolver.changes(context.bound)
    ? extended(bound, resolver.captureBound(context.bound), limit)
    : stacked(bound, context.bound, limit)
  context.bounds.set(bound, combined)
  return combined
}

/** Returns `under` with the attributes of a context and of the contexts around it. */
function stacked(under: BoundState, added: BoundState, limit: number): BoundState {
  const { parent, names, values, droppedAttributes } = added
  const isInner = parent !== undefined && parent !== unbound
  const bound = isInner ? stacked(under, parent, limit) : under
  const dropped = isInner ? droppedAttributes - parent.droppedAttributes : droppedAttributes
  return extended(bound, { ...names.added, values, shape: names, dropped }, limit)
}

/** Returns the state of a context: captured attributes, and those of the context around it. */
export function contextState(outer: BoundState | undefined, own: CapturedParts): BoundState {
  return extended(outer ?? unbound, own, Infinity)
}

function extended(bound: BoundState, captured: CapturedParts, limit: number): BoundState {
  const own = limited(bound, captured, limit)
  return new BoundState(originWith(bound.origin, own.dropped), bound, bound.names.extended(own), own.values)
}

/** Returns the attributes that a state has room for: new names over the limit are dropped and counted. */
export function limited(bound: BoundState, captured: CapturedParts, limit: number): CapturedParts {
  const excess = bound.names.extended(captured).size - Math.max(limit, bound.names.size)
  return excess > 0 ? withoutLast(bound, captured, excess) : captured
}

/** Returns the origin of a state that extends another one. */
export function originWith(origin: BoundOrigin, dropped: number, messagePrefix = ''): BoundOrigin {
  if (dropped === 0 && messagePrefix === '') return origin
  return {
    ...origin,
    messagePrefix: origin.messagePrefix + messagePrefix,
    droppedAttributes: origin.droppedAttributes + dropped,
  }
}

/** Returns the attributes without the last new ones. */
function withoutLast(bound: BoundState, captured: CapturedParts, excess: number): CapturedParts {
  const { names, keys = names, values, dropped } = captured
  const surplus = new Set(keys.filter((key) => !bound.names.has(key)).slice(-excess))
  const isKept = (_: unknown, index: number): boolean => !surplus.has(keys[index]!)
  return {
    names: names.filter(isKept),
    keys: keys === names ? undefined : keys.filter(isKept),
    values: values.filter(isKept),
    shape: undefined,
    dropped: dropped + surplus.size,
  }
}
