import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { Bound } from '../record/record.ts'
import type { Resolved, Resolver } from '../encode/resolve.ts'

/** What `withContext` says for every logger: a snapshot, and what loggers have made of it. */
export interface ContextAttributes {
  readonly attributes: AnyValueMap
  readonly dropped: number
  /** Each logger's snapshot with the context added. */
  readonly bounds: CombinedBounds
}

/**
 * What loggers have made of a context. A request has a context, and nearly always one logger speaks in it: a WeakMap for each would be
 * the dearest part of both, for the collector most of all.
 */
export class CombinedBounds {
  #bound: Bound | undefined
  #combined: Bound | undefined
  #others: WeakMap<Bound, Bound> | undefined

  get(bound: Bound): Bound | undefined {
    return bound === this.#bound ? this.#combined : this.#others?.get(bound)
  }

  set(bound: Bound, combined: Bound): this {
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

/** A logger's snapshot with the attributes of the context: they win over the logger's own. Made once for each pair. */
export function withContextAttributes(
  bound: Bound,
  context: ContextAttributes,
  resolver: Resolver,
  limit: number,
): Bound {
  const known = context.bounds.get(bound)
  if (known !== undefined) return known
  // The context was taken without this logger's rules.
  const own = resolver.resolveData(context.attributes)
  const combined = extendBound(bound, { ...own, dropped: own.dropped + context.dropped }, limit)
  context.bounds.set(bound, combined)
  return combined
}

/** A snapshot with further attributes, which win. Those that are new are left out once there are `limit` of them. */
export function extendBound(bound: Bound, own: Resolved, limit: number, messagePrefix = ''): Bound {
  const all = own.attributes.size === 0 ? bound.attributes : merged(bound.attributes, own.attributes)
  const excess = Math.max(0, all.size - Math.max(limit, bound.attributes.size))
  const surplus = [...own.attributes.keys()].filter((key) => !bound.attributes.has(key)).slice(-excess)
  return {
    ...bound,
    attributes: excess === 0 ? all : new Map([...all].filter(([key]) => !surplus.includes(key))),
    messagePrefix: bound.messagePrefix + messagePrefix,
    droppedAttributes: bound.droppedAttributes + own.dropped + excess,
    rendered: { by: undefined, value: undefined },
  }
}

/** Both, each key once; those of `over` win and stand behind. */
export function merged(under: AnyValueMap, over: AnyValueMap): AnyValueMap {
  if (under.size === 0) return over
  if (over.size === 0) return under
  const all = new Map<string, AnyValue>()
  for (const [key, value] of under) if (!over.has(key)) all.set(key, value)
  for (const [key, value] of over) all.set(key, value)
  return all
}
