import { otlpJsonMember } from '../../encode/otlp/otlp-json-walk.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { member } from '../../options/own-members.ts'
import { emptyScopeDetails, type Scope } from '../../record/instrumentation-source.ts'
import type { LoggerScope } from './configurator.ts'
import { createScopedLogger, type ProviderState, type ScopedLogger } from '../api/scoped-logger.ts'
import type { OtelLoggerOptions } from '../api/types.ts'

/**
 * The loggers of a provider, one for each scope. They are held weakly and created again on demand, so that scopes whose names are
 * generated at run time do not leak memory.
 */
export class ScopedLoggers {
  private readonly state: ProviderState
  private readonly resolver: Resolver
  private readonly loggers = new Map<string, WeakRef<ScopedLogger>>()
  private readonly collectedLoggers = new FinalizationRegistry<string>((key) => {
    // A new logger may have been created for the same scope.
    if (this.loggers.get(key)?.deref() === undefined) this.loggers.delete(key)
  })

  constructor(state: ProviderState) {
    this.state = state
    this.resolver = new Resolver(state.rules)
  }

  /** The number of scopes whose logger is cached. */
  get size(): number {
    return this.loggers.size
  }

  /**
   * Returns the logger of a scope. A name or version that is not a string is ignored, and so are options that cannot be read. Never
   * throws.
   */
  get(name: unknown, version: unknown, options: unknown): ScopedLogger {
    const scope = this.scopeOf(name, version, options)
    const key = keyOf(scope)
    const existing = this.loggers.get(key)?.deref()
    if (existing !== undefined) return existing
    const logger = createScopedLogger(scope, this.state)
    this.loggers.set(key, new WeakRef(logger))
    this.collectedLoggers.register(logger, key)
    return logger
  }

  private scopeOf(name: unknown, version: unknown, options: unknown): Scope & LoggerScope {
    const scope = { ...emptyScopeDetails, name: textOf(name) ?? '', version: textOf(version) || undefined }
    try {
      const scopeOptions = Object(options) as OtelLoggerOptions
      const schemaUrl = member(scopeOptions, 'schemaUrl')
      const scopeAttributes: unknown = member(scopeOptions, 'attributes') ?? member(scopeOptions, 'scopeAttributes')
      const resolved =
        typeof scopeAttributes === 'object' && scopeAttributes !== null
          ? this.resolver.resolve(scopeAttributes)
          : undefined
      const { attributes, droppedCount: dropped } = resolved ?? { attributes: undefined, droppedCount: undefined }
      return { ...scope, schemaUrl: textOf(schemaUrl) || undefined, attributes, droppedAttributes: dropped }
    } catch {
      return scope // reading the options threw
    }
  }
}

/**
 * Returns a text that identifies a scope. It is the same for any order of attributes, nested ones included, and different for values of
 * different types, such as 1 and "1".
 */
function keyOf({ name, version, schemaUrl, attributes, droppedAttributes = 0 }: Scope): string {
  const members = Array.from(sorted(attributes ?? new Map()), ([key, value]) => otlpJsonMember(key, value))
  // The array is not serialized as a whole, because a `toJSON` on Object.prototype would determine the result.
  return [name, version ?? null, schemaUrl ?? null, droppedAttributes, ...members]
    .map((part) => JSON.stringify(part))
    .join()
}

function sorted(map: AnyValueMap): AnyValueMap {
  const entries = Array.from(map, ([key, value]) => [key, sortedValue(value)] as const)
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function sortedValue(value: AnyValue): AnyValue {
  if (value instanceof Map) return sorted(value as AnyValueMap)
  return Array.isArray(value) ? value.map((item) => sortedValue(item as AnyValue)) : value
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
