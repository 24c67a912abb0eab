import { plainRules } from '../encode/plain.ts'
import { Resolver, type Resolved } from '../encode/resolve.ts'
import { CombinedBounds, merged, type ContextAttributes } from '../logger/bound.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import { defaultLimits } from '../rules/limits.ts'
import { compileRedaction } from '../rules/redact.ts'
import { standardSerializers } from '../rules/serializers.ts'
import { contextStorage, type ContextStorage } from './context-storage.ts'

/** Rules that hold for everybody; each logger's own come on top when it speaks. */
const resolver = new Resolver({
  ...plainRules,
  redaction: compileRedaction(undefined, '', []),
  serializers: standardSerializers,
  // Each logger has limits of its own; only what would never end is cut here.
  limits: { ...defaultLimits, items: Infinity, attributes: Infinity },
})

/**
 * Runs `fn`, and every logger says `attributes` with what it logs meanwhile, also after `await`. Contexts nest; the inner
 * one wins. Attributes of a call win over those of the context, and these over a child's. They are read once, now.
 *
 * @returns what `fn` returns.
 */
export function withContext<R>(attributes: object, fn: () => R): R {
  return contexts().run(contextWith(attributes), fn)
}

/**
 * The context at hand and `attributes`, for a call chain that begins later.
 *
 * @param ours - what wins over these: data of this package's own, of which nothing has to be found out
 */
export function contextWith(attributes: object | undefined, ours: AnyValueMap = nothing): ContextAttributes {
  const outer = contexts().get()
  const own = attributes === undefined ? nothingMore : resolver.resolve(attributes)
  const said = merged(own.attributes, ours)
  return {
    attributes: outer === undefined ? said : merged(outer.attributes, said),
    dropped: own.dropped + (outer?.dropped ?? 0),
    bounds: new CombinedBounds(),
  }
}

/** The contexts of this process. */
export function contexts(): ContextStorage<ContextAttributes> {
  known ??= contextStorage<ContextAttributes>()
  return known
}

let known: ContextStorage<ContextAttributes> | undefined
const nothing: AnyValueMap = new Map()
const nothingMore: Resolved = { attributes: nothing, dropped: 0 }
