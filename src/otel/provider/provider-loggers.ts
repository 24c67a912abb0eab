import { otlpJsonMember } from '../../encode/otlp/otlp-json-walk.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { member } from '../../options/own-members.ts'
import { emptyScopeDetails, type Scope } from '../../record/instrumentation-source.ts'
import type { LoggerScope } from './configurator.ts'
import { scopedLogger, type EmitSettings, type ScopedLogger } from '../api/emit.ts'
import type { OtelLoggerOptions } from '../api/types.ts'

/**
 * The loggers of a provider, one for each scope (API1). They are held weakly and created again on demand, so scopes with names
 * generated at run time do not leak memory.
 */
export class ScopedLoggers {
  private readonly settings: EmitSettings
  private readonly resolver: Resolver
  private readonly loggers = new Map<string, WeakRef<ScopedLogger>>()
  private readonly collected = new FinalizationRegistry<string>((key) => {
    // A new logger may have been created for the same scope.
    if (this.loggers.get(key)?.deref() === undefined) this.loggers.delete(key)
  })

  constructor(settings: EmitSettings) {
    this.settings = settings
    this.resolver = new Resolver(settings.rules)
  }

  /** The number of loggers in the cache. */
  get size(): number {
    return this.loggers.size
  }

  /** Returns the logger of a scope. Parameters that are not strings are ignored. Never throws. */
  get(name: unknown, version: unknown, options: unknown): ScopedLogger {
    const scope = this.scopeOf(name, version, options)
    const key = keyOf(scope)
    const existing = this.loggers.get(key)?.deref()
    if (existing !== undefined) return existing
    const logger = scopedLogger(scope, this.settings)
    this.loggers.set(key, new WeakRef(logger))
    this.collected.register(logger, key)
    return logger
  }

  private scopeOf(name: unknown, version: unknown, options: unknown): Scope & LoggerScope {
    const scope = { ...emptyScopeDetails, name: textOf(name) ?? '', version: textOf(version) || undefined }
    try {
      const scopeOptions = Object(options) as OtelLoggerOptions
      const schemaUrl = member(scopeOptions, 'schemaUrl')
      const scopeAttributes: unknown = member(scopeOptions, 'attributes') ?? member(scopeOptions, 'scopeAttributes')
      const own =
        typeof scopeAttributes === 'object' && scopeAttributes !== null
          ? this.resolver.resolve(scopeAttributes)
          : undefined
      const { attributes, dropped } = own ?? { attributes: undefined, dropped: undefined }
      return { ...scope, schemaUrl: textOf(schemaUrl) || undefined, attributes, droppedAttributes: dropped }
    } catch {
      return scope // reading the options threw
    }
  }
}

/**
 * Returns a key that identifies a scope. Attributes, nested ones included, are compared in any order and with their types: 1 is not
 * "1".
 */
function keyOf({ name, version, schemaUrl, attributes, droppedAttributes = 0 }: Scope): string {
  const members = Array.from(sorted(attributes ?? new Map()), ([key, value]) => otlpJsonMember(key, value))
  // Do not serialize the array as a whole: a `toJSON` on Object.prototype would determine the result.
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
