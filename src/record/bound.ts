import type { AnyValue, AnyValueMap } from './any-value.ts'
import { BoundNames, type AttributeNames } from './bound-names.ts'
import { emptyScopeDetails, type Resource, type Scope, type InstrumentationSource } from './instrumentation-source.ts'

/** The part of a logger's bound state that its children share unchanged. */
export interface BoundOrigin extends InstrumentationSource {
  /** Text before each message. */
  readonly messagePrefix: string
  /** An OpenTelemetry context that records belong to instead of the active one. */
  readonly context: object | undefined
  /** The number of attributes over the limit when they were bound. */
  readonly droppedAttributes: number
}

const maxCached = 4

/** A value that is computed from a bound state and cached on it, mainly text that an encoder has rendered. */
export interface CacheEntry {
  /** The encoder, or another object that identifies the kind of value. */
  readonly owner: object
  next: CacheEntry | undefined
}

/**
 * Everything that a logger adds to each of its records: scope, resource and attributes, captured and redacted when they were bound. A
 * child holds only what it adds to its parent's state.
 */
export class BoundState implements InstrumentationSource {
  readonly origin: BoundOrigin
  /** The state that this one adds to. */
  readonly parent: BoundState | undefined
  readonly names: BoundNames
  /** The values of `names.own`, in the same order. */
  readonly values: readonly AnyValue[]
  private cache: CacheEntry | undefined

  constructor(origin: BoundOrigin, parent: BoundState | undefined, names: BoundNames, values: readonly AnyValue[]) {
    this.origin = origin
    this.parent = parent
    this.names = names
    this.values = values
    this.cache = undefined
  }

  /** Creates a state with only a scope and a resource, and attributes if there are any. */
  static ofSource({ scope, resource }: InstrumentationSource, attributes?: AnyValueMap): BoundState {
    return BoundState.of({ scope, resource, messagePrefix: '', context: undefined, droppedAttributes: 0 }, attributes)
  }

  /** Creates a state without a parent. */
  static of(origin: BoundOrigin, attributes?: AnyValueMap): BoundState {
    const values = attributes === undefined ? [] : [...attributes.values()]
    return BoundState.ofNamed(origin, { names: [...(attributes?.keys() ?? [])], keys: undefined, values })
  }

  /** Creates a state without a parent from attributes whose names may be redacted. */
  static ofNamed(origin: BoundOrigin, { names, keys, values }: NamedValues): BoundState {
    if (names.length === 0) return new BoundState(origin, undefined, BoundNames.none, [])
    const own = BoundNames.none.extended({ names, keys, shape: undefined })
    return new BoundState(origin, undefined, own, values)
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
   * All attributes by name, in the order in which they are written: those of parents first, without those that were bound again.
   */
  get attributes(): AnyValueMap {
    const cachedValue = this.cached(attributesKey) as CachedValue<AnyValueMap> | undefined
    return (cachedValue ?? this.keep(new CachedValue(attributesKey, this.merged()))).value
  }

  /** The same state without the message prefix. */
  get unprefixed(): BoundState {
    if (this.origin.messagePrefix === '') return this
    const cachedValue = this.cached(unprefixedKey) as CachedValue<BoundState> | undefined
    if (cachedValue !== undefined) return cachedValue.value
    const origin = { ...this.origin, messagePrefix: '' }
    return this.keep(new CachedValue(unprefixedKey, new BoundState(origin, this.parent, this.names, this.values))).value
  }

  /** Returns the cache entry of an owner. */
  cached(owner: object): CacheEntry | undefined {
    let entry = this.cache
    while (entry !== undefined && entry.owner !== owner) entry = entry.next
    return entry
  }

  /** Adds a cache entry. If there are too many, the oldest one is dropped. */
  keep<C extends CacheEntry>(entry: C): C {
    entry.next = this.cache
    this.cache = entry
    let last: CacheEntry | undefined = entry.next
    for (let count = 2; last !== undefined && count < maxCached; count++) last = last.next
    if (last !== undefined) last.next = undefined
    return entry
  }

  private merged(): AnyValueMap {
    const { parent, values } = this
    const { own } = this.names
    const all = new Map<string, AnyValue>()
    if (parent !== undefined)
      for (const [name, value] of parent.attributes)
        if (!this.names.overrides || !own.includes(name)) all.set(name, value)
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
  readonly owner: object
  readonly value: V
  next: CacheEntry | undefined

  constructor(owner: object, value: V) {
    this.owner = owner
    this.value = value
    this.next = undefined
  }
}

const attributesKey = {}
const unprefixedKey = {}

/** The empty state: of contexts without an outer context, and of encoded text, which contains its own scope and resource. */
export const unbound: BoundState = BoundState.ofSource({
  scope: { ...emptyScopeDetails, name: undefined, version: undefined },
  resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
})
