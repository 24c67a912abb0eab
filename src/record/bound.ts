import type { AnyValue, AnyValueMap } from './any-value.ts'
import { BoundNames, type AttributeNames } from './bound-names.ts'
import { emptyScopeDetails, type Resource, type Scope, type InstrumentationSource } from './instrumentation-source.ts'

/** What a logger adds to its records other than attributes. Children that change none of it share the object. */
export interface BoundOrigin extends InstrumentationSource {
  /** Text before each message. */
  readonly messagePrefix: string
  /** The OpenTelemetry context that records belong to; undefined for the context that is active when a record is logged. */
  readonly context: object | undefined
  /** The number of attributes that this logger and its parents have dropped because there were too many. */
  readonly droppedAttributes: number
}

/** The maximum number of cache entries of one bound state. */
const maxCacheEntries = 4

/** A value that was computed from a bound state and is cached in it, mainly text that an encoder has rendered. */
export interface CacheEntry {
  /** The encoder, or another object that identifies the kind of value. */
  readonly cacheKey: object
  /** The entry that was added before. */
  next: CacheEntry | undefined
}

/**
 * Everything that a logger adds to each of its records: scope, resource and attributes, copied and redacted when they were bound. The
 * state of a child logger contains only the attributes that the child has bound itself, and refers to its parent's state for the others.
 */
export class BoundState implements InstrumentationSource {
  readonly origin: BoundOrigin
  /** The state that this one adds to. */
  readonly parent: BoundState | undefined
  /** The names of the attributes, those of the parents included. */
  readonly names: BoundNames
  /** The values of the attributes `names.ownNames`, in the same order. */
  readonly values: readonly AnyValue[]
  /** The cache entry that was added last. */
  private cache: CacheEntry | undefined

  constructor(origin: BoundOrigin, parent: BoundState | undefined, names: BoundNames, values: readonly AnyValue[]) {
    this.origin = origin
    this.parent = parent
    this.names = names
    this.values = values
    this.cache = undefined
  }

  /** Creates a state without a parent from a scope, a resource, and attributes if there are any. */
  static ofSource({ scope, resource }: InstrumentationSource, attributes?: AnyValueMap): BoundState {
    return BoundState.of({ scope, resource, messagePrefix: '', context: undefined, droppedAttributes: 0 }, attributes)
  }

  /** Creates a state without a parent. */
  static of(origin: BoundOrigin, attributes?: AnyValueMap): BoundState {
    const values = attributes === undefined ? [] : [...attributes.values()]
    return BoundState.ofNamedValues(origin, { names: [...(attributes?.keys() ?? [])], keys: undefined, values })
  }

  /** Creates a state without a parent, from attributes whose names may differ from their keys because they were redacted. */
  static ofNamedValues(origin: BoundOrigin, { names, keys, values }: NamedValues): BoundState {
    if (names.length === 0) return new BoundState(origin, undefined, BoundNames.none, [])
    const boundNames = BoundNames.none.extended({ names, keys, shape: undefined })
    return new BoundState(origin, undefined, boundNames, values)
  }

  get scope(): Scope {
    return this.origin.scope
  }
  get resource(): Resource {
    return this.origin.resource
  }
  get messagePrefix(): string {
    return this.origin.messagePrefix
  }
  get context(): object | undefined {
    return this.origin.context
  }
  get droppedAttributes(): number {
    return this.origin.droppedAttributes
  }

  /**
   * All attributes by name, in the order in which they are written: those of the parents first, without those that a child overrides.
   */
  get attributes(): AnyValueMap {
    const cachedValue = this.cacheEntryOf(attributesKey) as CachedValue<AnyValueMap> | undefined
    return (cachedValue ?? this.addCacheEntry(new CachedValue(attributesKey, this.mergedAttributes()))).value
  }

  /** This state without the message prefix. */
  get unprefixed(): BoundState {
    if (this.origin.messagePrefix === '') return this
    const cachedValue = this.cacheEntryOf(unprefixedKey) as CachedValue<BoundState> | undefined
    if (cachedValue !== undefined) return cachedValue.value
    const origin = { ...this.origin, messagePrefix: '' }
    return this.addCacheEntry(
      new CachedValue(unprefixedKey, new BoundState(origin, this.parent, this.names, this.values)),
    ).value
  }

  /** Returns the value of the attribute with a key, of this state or a parent; undefined if it is not bound. */
  valueOfKey(key: string): AnyValue | undefined {
    const index = this.names.ownIndexOf(key)
    return index >= 0 ? this.values[index] : this.parent?.valueOfKey(key)
  }

  /** Returns the cache entry with this key, or undefined. */
  cacheEntryOf(cacheKey: object): CacheEntry | undefined {
    let entry = this.cache
    while (entry !== undefined && entry.cacheKey !== cacheKey) entry = entry.next
    return entry
  }

  /** Adds a cache entry and returns it. If there are too many, the oldest one is dropped. */
  addCacheEntry<C extends CacheEntry>(entry: C): C {
    entry.next = this.cache
    this.cache = entry
    let last: CacheEntry | undefined = entry.next
    for (let count = 2; last !== undefined && count < maxCacheEntries; count++) last = last.next
    if (last !== undefined) last.next = undefined
    return entry
  }

  private mergedAttributes(): AnyValueMap {
    const { parent, values } = this
    const { ownNames: own } = this.names
    const all = new Map<string, AnyValue>()
    if (parent !== undefined)
      for (const [name, value] of parent.attributes)
        if (!this.names.overridesParent || !own.includes(name)) all.set(name, value)
    for (let i = 0; i < own.length; i++) all.set(own[i]!, values[i]!)
    return all
  }
}

/** Attributes as names and values, in the same order. */
export interface NamedValues extends AttributeNames {
  readonly values: readonly AnyValue[]
}

/** A cache entry with one value. */
export class CachedValue<V> implements CacheEntry {
  readonly cacheKey: object
  readonly value: V
  next: CacheEntry | undefined

  constructor(cacheKey: object, value: V) {
    this.cacheKey = cacheKey
    this.value = value
    this.next = undefined
  }
}

/** The cache keys of `BoundState.attributes` and `BoundState.unprefixed`. */
const attributesKey = {}
const unprefixedKey = {}

/**
 * A state that adds nothing. It is the parent of the state of an outermost `withContext`, and the state of pipelines for text that is
 * already finished and contains its own scope and resource, if any.
 */
export const emptyBoundState: BoundState = BoundState.ofSource({
  scope: { ...emptyScopeDetails, name: undefined, version: undefined },
  resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
})
