import { otlpJsonMember } from '../../encode/otlp/otlp-json-walk.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { member } from '../../options/own-members.ts'
import { nothingMore, type Scope } from '../../record/record.ts'
import type { LoggerScope } from './configurator.ts'
import { scopedLogger, type EmitSettings, type ScopedLogger } from '../api/emit.ts'
import type { OtelLoggerOptions } from '../api/types.ts'

/**
 * The loggers of a provider, one for each scope (API1). A logger that nobody holds is forgotten, and made again when it is
 * asked for, so that scopes with names made at run time do not fill the memory.
 */
export class ScopedLoggers {
  private readonly settings: EmitSettings
  private readonly resolver: Resolver
  private readonly loggers = new Map<string, WeakRef<ScopedLogger>>()
  private readonly forgotten = new FinalizationRegistry<string>((key) => {
    // A new one may have taken its place.
    if (this.loggers.get(key)?.deref() === undefined) this.loggers.delete(key)
  })

  constructor(settings: EmitSettings) {
    this.settings = settings
    this.resolver = new Resolver(settings.rules)
  }

  /** How many loggers are known. */
  get size(): number {
    return this.loggers.size
  }

  /** The logger of a scope; what is no text is none. Never throws. */
  get(name: unknown, version: unknown, options: unknown): ScopedLogger {
    const scope = this.scopeOf(name, version, options)
    const key = keyOf(scope)
    const known = this.loggers.get(key)?.deref()
    if (known !== undefined) return known
    const logger = scopedLogger(scope, this.settings)
    this.loggers.set(key, new WeakRef(logger))
    this.forgotten.register(logger, key)
    return logger
  }

  private scopeOf(name: unknown, version: unknown, options: unknown): Scope & LoggerScope {
    const scope = { ...nothingMore, name: textOf(name) ?? '', version: textOf(version) || undefined }
    try {
      const said = Object(options) as OtelLoggerOptions
      const schemaUrl = member(said, 'schemaUrl')
      const given: unknown = member(said, 'attributes') ?? member(said, 'scopeAttributes')
      const own = typeof given === 'object' && given !== null ? this.resolver.resolve(given) : undefined
      const { attributes, dropped } = own ?? { attributes: undefined, dropped: undefined }
      return { ...scope, schemaUrl: textOf(schemaUrl) || undefined, attributes, droppedAttributes: dropped }
    } catch {
      return scope // options whose reading throws
    }
  }
}

/** Attributes are compared whatever their order, also that of nested ones, and with their types: 1 is not "1". */
function keyOf({ name, version, schemaUrl, attributes, droppedAttributes = 0 }: Scope): string {
  const members = Array.from(sorted(attributes ?? new Map()), ([key, value]) => otlpJsonMember(key, value))
  // Not the JSON of the array: a `toJSON` on Object.prototype would decide.
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
