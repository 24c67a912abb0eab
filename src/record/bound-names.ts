import { UniqueNames } from './unique-names.ts'

/** What is written in front of a member's value, with a comma where it is not the first member. */
export interface JsonKey {
  readonly key: string
  /** The same with the opening quote of a string. */
  readonly textKey: string
}

/**
 * The names that a logger and its parents have bound. Loggers that bind the same names in the same order share one object, so that what
 * depends on names only is computed once for all of them.
 *
 * A key is the name that the program has set, by which one attribute overrides another. A name is what is written: where redaction makes
 * the names of several keys equal, the later ones get a number.
 */
export class BoundNames {
  static readonly none: BoundNames = new BoundNames({ names: [], keys: undefined }, undefined)

  /** The names that this logger adds to its parent's. */
  readonly own: readonly string[]
  /** Whether it binds a key that its parents have bound as well. */
  readonly overrides: boolean
  /** How many different names there are, with those of the parents. */
  readonly size: number
  /** Whether no name contains half of a surrogate pair. */
  readonly areWellFormed: boolean
  /** Whether a name differs from its key. */
  readonly areRenamed: boolean
  /** What is written in front of the value of each own name, as JSON; set by the first encoder that needs it. */
  jsonKeys: readonly JsonKey[] | undefined
  /** The rules by which it was last checked whether they change attributes of these names, and the result. */
  checkedBy: object | undefined
  isChanged = false
  private readonly given: Named
  private readonly ownKeys: readonly string[]
  private readonly parent: BoundNames | undefined
  private lastShape: object | undefined
  private last: BoundNames | undefined
  private others: Map<object, BoundNames> | undefined

  private constructor(given: Named, parent: BoundNames | undefined) {
    const { names, keys = names } = given
    this.given = given
    this.ownKeys = keys
    this.parent = parent
    this.areRenamed = keys !== names || parent?.areRenamed === true
    this.own = this.areRenamed ? differentNames(names, keys, parent) : names
    const repeated = parent === undefined ? 0 : keys.filter((key) => parent.has(key)).length
    this.overrides = repeated > 0
    this.areWellFormed = this.own.every((name) => name.isWellFormed()) && parent?.areWellFormed !== false
    this.size = keys.length + (parent === undefined ? 0 : parent.size - repeated)
  }

  /** What this logger adds, before names get numbers: for another parent they may be others. */
  get added(): Named {
    return this.given
  }

  has(key: string): boolean {
    return this.ownKeys.includes(key) || (this.parent !== undefined && this.parent.has(key))
  }

  /** Whether an attribute is written under this name. */
  hasName(name: string): boolean {
    return this.own.includes(name) || (this.parent !== undefined && this.parent.hasName(name))
  }

  /** Returns the name of a key; undefined where it is not bound. */
  nameOf(key: string): string | undefined {
    const index = this.ownKeys.indexOf(key)
    return index < 0 ? this.parent?.nameOf(key) : this.own[index]
  }

  /** Returns the key of a name, and the name without a number. */
  originOf(name: string): { readonly key: string; readonly base: string } {
    if (!this.areRenamed) return { key: name, base: name }
    const index = this.own.indexOf(name)
    if (index >= 0) return { key: this.ownKeys[index]!, base: this.given.names[index]! }
    return this.parent?.originOf(name) ?? { key: name, base: name }
  }

  /** The different keys. */
  *[Symbol.iterator](): Generator<string> {
    const { ownKeys, parent } = this
    if (parent !== undefined) yield* parent
    for (const key of ownKeys) if (parent?.has(key) !== true) yield key
  }

  /** The names of all of them; one that is bound again occurs twice. */
  *written(): Generator<string> {
    if (this.parent !== undefined) yield* this.parent.written()
    yield* this.own
  }

  /** Adds names. Calls with the same shape return the same object. */
  extended(added: NamesOfShape): BoundNames {
    const { shape } = added
    if (shape === undefined) return this.extendedBy(added)
    if (shape === this.lastShape) return this.last!
    const known = this.others?.get(shape) ?? this.kept(this.extendedBy(added), shape)
    this.lastShape = shape
    return (this.last = known)
  }

  private extendedBy({ names, keys }: Named): BoundNames {
    return new BoundNames({ names, keys }, this)
  }

  private kept(names: BoundNames, shape: object): BoundNames {
    // Names can be data, such as IDs: then all are forgotten from time to time.
    if (this.others === undefined || this.others.size === mostShapes) this.others = new Map()
    this.others.set(shape, names)
    return names
  }
}

/** Names of attributes. */
export interface Named {
  readonly names: readonly string[]
  /** The key of each name, which redaction has changed or made equal to another; undefined where they are the names. */
  readonly keys: readonly string[] | undefined
}

/** Names, and an object shared by all sets of the same names in the same order, or undefined. */
interface NamesOfShape extends Named {
  readonly shape: object | undefined
}

const mostShapes = 1_000

/** The name of each key: that of the parent's where it has the key, else one that no other key has. */
function differentNames(
  names: readonly string[],
  keys: readonly string[],
  parent: BoundNames | undefined,
): readonly string[] {
  const unique = new UniqueNames(parent?.written())
  return names.map((name, index) => parent?.nameOf(keys[index]!) ?? unique.add(name))
}
