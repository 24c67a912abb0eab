import type { NamedValuesSnapshot, Resolver } from '../encode/walk/resolve.ts'
import { BoundState, emptyBoundState, type BoundOrigin } from '../record/bound.ts'

/** The attributes of `withContext`, and the bound states of loggers with these attributes added. */
export interface ContextAttributes {
  /** The attributes, including those of the contexts around this one, and how many were dropped. */
  readonly bound: BoundState
  /** For the bound state of each logger, the state with the attributes of the context added. */
  readonly combinedStates: CombinedStates
  /** The HTTP request that is handled in this context; undefined outside of a request. */
  readonly request: object | undefined
}

/**
 * A cache of the bound states of loggers with the attributes of one context added. Usually only one logger writes in the context of a
 * request: two fields for that logger cost less, above all for the garbage collector, than a WeakMap for each context.
 */
export class CombinedStates {
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

/**
 * Returns a logger's state with the attributes of the context, which override the logger's own. Each pair of logger and context is combined
 * only once.
 */
export function withContextAttributes(
  bound: BoundState,
  context: ContextAttributes,
  resolver: Resolver,
  maxAttributes: number,
): BoundState {
  const cached = context.combinedStates.get(bound)
  if (cached !== undefined) return cached
  const combined = resolver.mayChangeBound(context.bound)
    ? extendBoundState(bound, resolver.snapshotBound(context.bound), maxAttributes)
    : addContextAttributes(bound, context.bound, maxAttributes)
  context.combinedStates.set(bound, combined)
  return combined
}

/** Returns `base` with the attributes of a context and of the contexts around it. */
function addContextAttributes(base: BoundState, added: BoundState, maxAttributes: number): BoundState {
  const { parent, names, values, droppedAttributes } = added
  const hasOuterContext = parent !== undefined && parent !== emptyBoundState
  const bound = hasOuterContext ? addContextAttributes(base, parent, maxAttributes) : base
  const droppedCount = hasOuterContext ? droppedAttributes - parent.droppedAttributes : droppedAttributes
  return extendBoundState(bound, { ...names.unnumberedOwnNames, values, shape: names, droppedCount }, maxAttributes)
}

/** Returns the state of a context: the attributes of `snapshot`, and those of the context around it, `outer`. */
export function contextState(outer: BoundState | undefined, snapshot: NamedValuesSnapshot): BoundState {
  return extendBoundState(outer ?? emptyBoundState, snapshot, Infinity)
}

/** Returns a state that adds the attributes of `snapshot` to `bound`, within the limit. */
function extendBoundState(bound: BoundState, snapshot: NamedValuesSnapshot, maxAttributes: number): BoundState {
  const accepted = limitedAttributes(bound, snapshot, maxAttributes)
  return new BoundState(
    originWith(bound.origin, accepted.droppedCount),
    bound,
    bound.names.extended(accepted),
    accepted.values,
  )
}

/** Returns the attributes that can be added to a state. If there are too many, the last new names are dropped and counted. */
export function limitedAttributes(
  bound: BoundState,
  snapshot: NamedValuesSnapshot,
  maxAttributes: number,
): NamedValuesSnapshot {
  const excess = bound.names.extended(snapshot).size - Math.max(maxAttributes, bound.names.size)
  return excess > 0 ? withoutLastNew(bound, snapshot, excess) : snapshot
}

/** Returns the origin of a state that extends another one: with more dropped attributes, and a longer message prefix. */
export function originWith(origin: BoundOrigin, droppedCount: number, messagePrefix = ''): BoundOrigin {
  if (droppedCount === 0 && messagePrefix === '') return origin
  return {
    ...origin,
    messagePrefix: origin.messagePrefix + messagePrefix,
    droppedAttributes: origin.droppedAttributes + droppedCount,
  }
}

/** Returns the attributes without the last `excess` ones whose keys the state does not have yet. */
function withoutLastNew(bound: BoundState, snapshot: NamedValuesSnapshot, excess: number): NamedValuesSnapshot {
  const { names, keys = names, values, droppedCount } = snapshot
  const surplusKeys = new Set(keys.filter((key) => !bound.names.has(key)).slice(-excess))
  const isWithinLimit = (_: unknown, index: number): boolean => !surplusKeys.has(keys[index]!)
  return {
    names: names.filter(isWithinLimit),
    keys: keys === names ? undefined : keys.filter(isWithinLimit),
    values: values.filter(isWithinLimit),
    shape: undefined,
    droppedCount: droppedCount + surplusKeys.size,
  }
}
