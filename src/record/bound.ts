import type { AnyValue, AnyValueMap } from './any-value.ts'
import type { Resource, Scope, Source } from './record.ts'

/** The part of a logger's bound state that its children share as it is. */
export interface BoundOrigin extends Source {
  /** Text in front of each message. */
  readonly messagePrefix: string
  /** An OpenTelemetry context that records belong to instead of the active one. */
  readonly context: object | undefined
  /** How many attributes were over the limit when they were bound. */
  readonly droppedAttributes: number
}

/** Returns an origin with only a scope and a resource. */
export function originOf({ scope, resource }: Source): BoundOrigin {
  return { scope, resource, messagePrefix: '', context: undefined, droppedAttributes: 0 }
}

/** What is written in front of a member's value, with a comma where it is not the first member. */
export interface JsonKey {
  readonly key: string
  /** The same with the opening quote of a string. */
  readonly textKey: string
}

/**
 * The names that a logger and its parents have bound. Loggers that bind the same names in the same order share one object, so that what
 * depends on names only is computed once for all of them.
 */
export class BoundNames {
  static readonly none: BoundNames = new BoundNames([], undefined)

  /** The names that this logger adds to its parent's. */
  readonly own: readonly string[]
  /** Whether it binds a name that its parents have bound as well. */
  readonly overrides: boolean
  /** How many different names there are, with those of the parents. */
  readonly size: number
  /** Whether no name contains half of a surrogate pair. */
  readonly areWellFormed: boolean
  /** What is written in front of the value of each own name, as JSON; set by the first encoder that needs it. */
  jsonKeys: readonly JsonKey[] | undefined
  /** The rules by which it was last checked whether they change attributes of these names, and the result. */
  checkedBy: object | undefined
  isChanged = false
  private readonly parent: BoundNames | undefined
  private lastShape: object | undefined
  private last: BoundNames | undefined
  private others: Map<object, BoundNames> | undefined

  private constructor(own: readonly string[], parent: BoundNames | undefined) {
    this.own = own
    this.parent = parent
    const repeated = parent === undefined ? 0 : own.filter((name) => parent.has(name)).length
    this.overrides = repeated > 0
    this.areWellFormed = own.every((name) => name.isWellFormed()) && parent?.areWellFormed !== false
    this.size = own.length + (parent === undefined ? 0 : parent.size - repeated)
  }

  has(name: string): boolean {
    return this.own.includes(name) || (this.parent !== undefined && this.parent.has(name))
  }

  /** The different names. */
  *[Symbol.iterator](): Generator<string> {
    const { own, parent } = this
    if (parent !== undefined) yield* parent
    for (const name of own) if (parent?.has(name) !== true) yield name
  }

  /** Counts the names for which a predicate holds. */
  count(holds: (name: string) => boolean): number {
    const { own, parent } = this
    const matching = own.filter((name) => parent?.has(name) !== true && holds(name)).length
    return parent === undefined ? matching : matching + parent.count(holds)
  }

  /** Adds names. Calls with the same shape return the same object. */
  extended(added: NamesOfShape): BoundNames {
    const { shape } = added
    if (shape === undefined) return new BoundNames(added.names, this)
    if (shape === this.lastShape) return this.last!
    const known = this.others?.get(shape) ?? this.added(added.names, shape)
    this.lastShape = shape
    return (this.last = known)
  }

  private added(own: readonly string[], shape: object): BoundNames {
    const names = new BoundNames(own, this)
    // Names can be data, such as IDs: then all are forgotten from time to time.
    if (this.others === undefined || this.others.size === mostShapes) this.others = new Map()
    this.others.set(shape, names)
    return names
  }
}

/** Names, and an object that is the same wherever the same names have the same order; undefined where there is none. */
interface NamesOfShape {
  readonly names: readonly string[]
  readonly shape: object | undefined
}

const mostShapes = 1_000
const mostCached = 4

/** A value computed from a bound state, which is kept on it: most of all, what an encoder has rendered. */
export interface CacheEntry {
  /** The encoder, or another object that identifies what the value is. */
  readonly owner: object
  next: CacheEntry | undefined
}

/**
 * Everything that a logger adds to each of its records: scope, resource and attributes, captured and redacted when they were bound. A
 * child holds only what it adds to its parent's state.
 */
export class BoundState implements Source {
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

  /** Creates a state without a parent. */
  static of(origin: BoundOrigin, attributes?: AnyValueMap): BoundState {
    if (attributes === undefined || attributes.size === 0) return new BoundState(origin, undefined, BoundNames.none, [])
    const names = BoundNames.none.extended({ names: [...attributes.keys()], shape: undefined })
    return new BoundState(origin, undefined, names, [...attributes.values()])
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

  /** All attributes, in the order of writing: those of parents first, without the ones that were bound again. */
  get attributes(): AnyValueMap {
    const known = this.cached(ofAttributes) as CachedValue<AnyValueMap> | undefined
    return (known ?? this.keep(new CachedValue(ofAttributes, this.merged()))).value
  }

  /** The same state with other attributes. */
  withAttributes(attributes: AnyValueMap): BoundState {
    return BoundState.of(this.origin, attributes)
  }

  /** The same state without the message prefix. */
  get unprefixed(): BoundState {
    if (this.origin.messagePrefix === '') return this
    const known = this.cached(ofUnprefixed) as CachedValue<BoundState> | undefined
    if (known !== undefined) return known.value
    const origin = { ...this.origin, messagePrefix: '' }
    return this.keep(new CachedValue(ofUnprefixed, new BoundState(origin, this.parent, this.names, this.values))).value
  }

  /** Returns the entry of an owner. */
  cached(owner: object): CacheEntry | undefined {
    let entry = this.cache
    while (entry !== undefined && entry.owner !== owner) entry = entry.next
    return entry
  }

  /** Keeps an entry. Of many, the oldest one is dropped. */
  keep<C extends CacheEntry>(entry: C): C {
    entry.next = this.cache
    this.cache = entry
    let last: CacheEntry | undefined = entry.next
    for (let count = 2; last !== undefined && count < mostCached; count++) last = last.next
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

/** A cache entry with a value and nothing else. */
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

const ofAttributes = {}
const ofUnprefixed = {}
