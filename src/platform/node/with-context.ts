import { plainRules } from '../../encode/plain-data.ts'
import { Resolver, type NamedValuesSnapshot } from '../../encode/walk/resolve.ts'
import { CombinedStates, contextState, type ContextAttributes } from '../../logger/context-attributes.ts'
import { defaultLimits } from '../../values/limits.ts'
import { compileRedaction } from '../../redact/redact.ts'
import { standardSerializers } from '../../values/serializers.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { contextStorage, type ContextStorage } from './context-storage.ts'

/** Reads context attributes by the rules that all loggers share. Each logger applies its own rules when it writes a record. */
const sharedResolver = new Resolver({
  ...plainRules,
  redaction: compileRedaction(undefined, '', []),
  serializers: standardSerializers,
  // Each logger also applies its own limits. Here the numbers of items and attributes are not limited; the default depth is.
  limits: { ...defaultLimits, items: Infinity, attributes: Infinity },
})

/**
 * Runs `fn` and adds `attributes` to every record that any logger writes meanwhile, including after `await`. Contexts nest;
 * inner attributes override outer ones. Attributes of a call override those of the context, and these override those of a
 * child. `attributes` is read once, when `withContext` is called.
 *
 * @returns The return value of `fn`.
 * @throws ConfigurationError if `fn` is not a function
 */
export function withContext<R>(attributes: object, fn: () => R): R {
  if (typeof fn !== 'function') throw new ConfigurationError([missingFunction(attributes)], undefined, 'withContext')
  return sharedContextStorage().run(contextWith(attributes), fn)
}

function missingFunction(attributes: unknown): ConfigurationProblem {
  const isFirst = typeof attributes === 'function'
  return {
    code: 'SLUICE_OPTION_TYPE',
    path: isFirst ? 'attributes' : 'fn',
    message: `${isFirst ? 'must be an object, not a function' : 'must be a function'}; write withContext({ requestId }, fn)`,
  }
}

/** Returns the current context with `attributes` added, for a call chain that starts later. */
export function contextWith(attributes: object): ContextAttributes {
  const outer = sharedContextStorage().get()
  return {
    bound: contextState(outer?.bound, sharedResolver.snapshot(attributes)),
    combinedStates: new CombinedStates(),
    request: outer?.request,
  }
}

/** Reads attributes as `withContext` does: once, and into data that is independent of later changes. */
export function captureAttributes(attributes: object): NamedValuesSnapshot {
  return sharedResolver.snapshot(attributes)
}

/** Returns the context storage of this process. */
export function sharedContextStorage(): ContextStorage<ContextAttributes> {
  storage ??= contextStorage<ContextAttributes>()
  return storage
}

let storage: ContextStorage<ContextAttributes> | undefined
