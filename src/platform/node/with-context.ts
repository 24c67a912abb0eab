import { plainRules } from '../../encode/plain.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import { CombinedBounds, contextState, type ContextAttributes } from '../../logger/bound.ts'
import { defaultLimits } from '../../values/limits.ts'
import { compileRedaction } from '../../redact/redact.ts'
import { standardSerializers } from '../../values/serializers.ts'
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

/** The context at hand and `attributes`, for a call chain that begins later. */
export function contextWith(attributes: object): ContextAttributes {
  const outer = contexts().get()
  return { bound: contextState(outer?.bound, resolver.capture(attributes)), bounds: new CombinedBounds() }
}

/** The contexts of this process. */
export function contexts(): ContextStorage<ContextAttributes> {
  known ??= contextStorage<ContextAttributes>()
  return known
}

let known: ContextStorage<ContextAttributes> | undefined
