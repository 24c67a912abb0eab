import { UniqueNames } from './unique-names.ts'

/** The text before a member's value in JSON, with a comma unless the member is the first one. */
export interface JsonKey {
  readonly key: string
  /** `key` with the opening quote of a string. */
  readonly textKey: string
}

/**
 * The names that a logger and its parents have bound. Loggers that bind the same names in the same order share one object, so
 * that values that depend only on names are computed once for all of them.
 *
 * A key is the name that the program has set, by which one attribute overrides another. A name is the one that is written: if
 * redaction makes the names of several keys equal, the later ones get a number.
 */
export class BoundNames {
  static readonly none: BoundNames = new BoundNames({ names: [], keys: undefined }, undefined)

  /** The names that this logger adds to its parent's. */
  readonly own: readonly string[]
  /** Whether it binds a key that a parent has bound too. */
  readonly overrides: boolean
  /** The number of different names, including those of the parents. */
  readonly size: number
  /** Whether no name contains half of a surrogate pair. */
  readonly areWellFormed: boolean
  /** Whether a name differs from its key. */
  readonly areRenamed: boolean
  /** The text before the value of each own name, as JSON; set by the first encoder that needs it. */
  jsonKeys: readonly JsonKey[] | undefined
  /** The rules for which it was last checked whether they change attributes of these names, and the result of that check. */
  checkedBy: object | undefined
  isChanged = false
  private readonly given: AttributeNames
  private readonly ownKeys: readonly string[]
  private readonly parent: BoundNames | undefined
  private lastShape: object | undefined
  private last: BoundNames | undefined
  private others: Map<object, BoundNames> | undefined

  private constructor(given: AttributeNames, parent: BoundNames | undefined) {
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

  /** The names that this logger adds, before they are numbered: under another parent they can get other numbers. */
  get added(): AttributeNames {
    return this.given
  }

  has(key: string): boolean {
    return this.ownKeys.includes(key) || (this.parent !== undefined && this.parent.has(key))
  }

  /** Whether an attribute is written under this name. */
  hasName(name: string): boolean {
    return this.own.includes(name) || (this.parent !== undefined && this.parent.hasName(name))
  }

  /** Returns the name of a key; undefined if it is not bound. */
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

  /** The names of all bound attributes. A name that is bound again occurs twice. */
  *written(): Generator<string> {
    if (this.parent !== undefined) yield* this.parent.written()
    yield* this.own
  }

  /** Adds names. Calls with the same shape return the same object. */
  extended(added: NamesOfShape): BoundNames {
    const { shape } = added
    if (shape === undefined) return this.extendedBy(added)
    if (shape === this.lastShape) return this.last!
    const extension = this.others?.get(shape) ?? this.kept(this.extendedBy(added), shape)
    this.lastShape = shape
    return (this.last = extension)
  }

  private extendedBy({ names, keys }: AttributeNames): BoundNames {
    return new BoundNames({ names, keys }, this)
  }

  private kept(names: BoundNames, shape: object): BoundNames {
    // Names can be data, such as IDs, so all of them are dropped when the limit is reached.
    if (this.others === undefined || this.others.size === maxShapes) this.others = new Map()
    this.others.set(shape, names)
    return names
  }
}

/** Names of attributes. */
export interface AttributeNames {
  readonly names: readonly string[]
  /** The key of each name, if redaction has changed it or made it equal to another; undefined if keys and names are equal. */
  readonly keys: readonly string[] | undefined
}

/** Names, and an object shared by all sets of the same names in the same order, or undefined. */
interface NamesOfShape extends AttributeNames {
  readonly shape: object | undefined
}

const maxShapes = 1_000

/** Returns the name of each key: the parent's name if the parent has the key, otherwise a name that no other key has. */
function differentNames(
  names: readonly string[],
  keys: readonly string[],
  parent: BoundNames | undefined,
): readonly string[] {
  const unique = new UniqueNames(parent?.written())
  return names.map((name, index) => parent?.nameOf(keys[index]!) ?? unique.add(name))
}
