import { plainRules } from '../../encode/plain.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import { CombinedBounds, contextState, type ContextAttributes } from '../../logger/bound.ts'
import { defaultLimits } from '../../values/limits.ts'
import { compileRedaction } from '../../redact/redact.ts'
import { standardSerializers } from '../../values/serializers.ts'
import { contextStorage, type ContextStorage } from './context-storage.ts'

/** Rules that apply to every logger. Each logger applies its own rules when it writes a record. */
const resolver = new Resolver({
  ...plainRules,
  redaction: compileRedaction(undefined, '', []),
  serializers: standardSerializers,
  // Each logger has its own limits. Here, only values that would never end are truncated.
  limits: { ...defaultLimits, items: Infinity, attributes: Infinity },
})

/**
 * Runs `fn` and adds `attributes` to every record that any logger writes meanwhile, including after `await`. Contexts nest;
 * inner attributes override outer ones. Attributes of a call override those of the context, and these override those of a
 * child. They are read once, when `withContext` is called.
 *
 * @returns The return value of `fn`.
 */
export function withContext<R>(attributes: object, fn: () => R): R {
  return contexts().run(contextWith(attributes), fn)
}

/** Returns the current context with `attributes` added, for a call chain that starts later. */
export function contextWith(attributes: object): ContextAttributes {
  const outer = contexts().get()
  return { bound: contextState(outer?.bound, resolver.capture(attributes)), bounds: new CombinedBounds() }
}

/** Returns the context storage of this process. */
export function contexts(): ContextStorage<ContextAttributes> {
  storage ??= contextStorage<ContextAttributes>()
  return storage
}

let storage: ContextStorage<ContextAttributes> | undefined
