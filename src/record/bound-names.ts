import { UniqueNames } from './unique-names.ts'

/** The text before the value of a bound attribute in a JSON line, such as `,"name":`. The first attribute has no comma. */
export interface JsonKey {
  readonly key: string
  /** `key`, followed by the quote that opens a string value. */
  readonly keyAndQuote: string
}

/**
 * The names of the attributes that a logger and its parents have bound. Child loggers of one parent that bind the same names in
 * the same order usually share one object, so that what depends only on the names is computed once for all of them.
 *
 * A key is the name that the program has set: an attribute overrides another one with the same key. A name is what is written: the
 * key after redaction. If redaction makes the names of several keys equal, the later ones get a number.
 */
export class BoundNames {
  static readonly none: BoundNames = new BoundNames({ names: [], keys: undefined }, undefined)

  /** The names of the attributes that this logger has bound itself. */
  readonly ownNames: readonly string[]
  /** Whether this logger has bound a key that a parent has bound too. */
  readonly overridesParent: boolean
  /** The number of different keys, those of the parents included. */
  readonly size: number
  /** Whether no name, of this logger or a parent, contains a lone surrogate. */
  readonly areWellFormed: boolean
  /** Whether a name, of this logger or a parent, may differ from its key. */
  readonly mayDifferFromKeys: boolean
  /** The text before the value of each of `ownNames` in JSON; set by the first encoder that needs it. */
  jsonKeys: readonly JsonKey[] | undefined
  /** The `Resolver` that last checked whether its rules can change attributes with these names. */
  lastResolver: object | undefined
  /** The result of that check. */
  isChangedByLastResolver = false
  private readonly namesWithoutNumbers: AttributeNames
  private readonly ownKeys: readonly string[]
  private readonly parent: BoundNames | undefined
  // The shape of the last call of `extended`, and its result.
  private lastShape: object | undefined
  private lastExtension: BoundNames | undefined
  private extensionsByShape: Map<object, BoundNames> | undefined

  private constructor(namesWithoutNumbers: AttributeNames, parent: BoundNames | undefined) {
    const { names, keys = names } = namesWithoutNumbers
    this.namesWithoutNumbers = namesWithoutNumbers
    this.ownKeys = keys
    this.parent = parent
    this.mayDifferFromKeys = keys !== names || parent?.mayDifferFromKeys === true
    this.ownNames = this.mayDifferFromKeys ? uniqueNames(names, keys, parent) : names
    const overrideCount = parent === undefined ? 0 : keys.filter((key) => parent.has(key)).length
    this.overridesParent = overrideCount > 0
    this.areWellFormed = this.ownNames.every((name) => name.isWellFormed()) && parent?.areWellFormed !== false
    this.size = keys.length + (parent === undefined ? 0 : parent.size - overrideCount)
  }

  /**
   * The keys that this logger has bound, and their names without the numbers that make them unique: for another parent, the numbers
   * can be different. Other versions of this package in the process read this member too, in the contexts of `withContext`.
   */
  get unnumberedOwnNames(): AttributeNames {
    return this.namesWithoutNumbers
  }

  /** Returns whether a key is bound. */
  has(key: string): boolean {
    return this.ownKeys.includes(key) || (this.parent !== undefined && this.parent.has(key))
  }

  /** Returns the index of a key among those that this logger has bound itself, or -1. */
  ownIndexOf(key: string): number {
    return this.ownKeys.indexOf(key)
  }

  /** Returns whether a bound attribute is written under this name. */
  hasName(name: string): boolean {
    return this.ownNames.includes(name) || (this.parent !== undefined && this.parent.hasName(name))
  }

  /** Returns the name of a key; undefined if it is not bound. */
  nameOf(key: string): string | undefined {
    const index = this.ownKeys.indexOf(key)
    return index < 0 ? this.parent?.nameOf(key) : this.ownNames[index]
  }

  /** Returns the key of a name, and the name without the number that makes it unique (`base`). */
  keyAndBaseOf(name: string): { readonly key: string; readonly base: string } {
    if (!this.mayDifferFromKeys) return { key: name, base: name }
    const index = this.ownNames.indexOf(name)
    if (index >= 0) return { key: this.ownKeys[index]!, base: this.namesWithoutNumbers.names[index]! }
    return this.parent?.keyAndBaseOf(name) ?? { key: name, base: name }
  }

  /** The bound keys, each once. */
  *[Symbol.iterator](): Generator<string> {
    const { ownKeys, parent } = this
    if (parent !== undefined) yield* parent
    for (const key of ownKeys) if (parent?.has(key) !== true) yield key
  }

  /** Returns the names of all bound attributes. The name of an attribute that is bound again occurs twice. */
  *allNames(): Generator<string> {
    if (this.parent !== undefined) yield* this.parent.allNames()
    yield* this.ownNames
  }

  /** Returns these names extended by others. Calls with the same shape return the same object while it is cached. */
  extended(added: NamesOfShape): BoundNames {
    const { shape } = added
    if (shape === undefined) return this.newExtension(added)
    if (shape === this.lastShape) return this.lastExtension!
    const extension = this.extensionsByShape?.get(shape) ?? this.cacheExtension(this.newExtension(added), shape)
    this.lastShape = shape
    return (this.lastExtension = extension)
  }

  private newExtension({ names, keys }: AttributeNames): BoundNames {
    return new BoundNames({ names, keys }, this)
  }

  private cacheExtension(extension: BoundNames, shape: object): BoundNames {
    // Names can be data, such as IDs, so the cache is emptied when it has reached its limit.
    if (this.extensionsByShape === undefined || this.extensionsByShape.size === maxCachedExtensions)
      this.extensionsByShape = new Map()
    this.extensionsByShape.set(shape, extension)
    return extension
  }
}

/** Names of attributes. */
export interface AttributeNames {
  readonly names: readonly string[]
  /** The key of each name, if redaction may have changed some names; undefined if all keys and names are equal. */
  readonly keys: readonly string[] | undefined
}

/** Names of attributes, with the shape that identifies them. */
interface NamesOfShape extends AttributeNames {
  /** An object that only equal names in the same order share; undefined for attributes without one, such as those of a context. */
  readonly shape: object | undefined
}

/** The maximum number of extensions that are cached for one object. */
const maxCachedExtensions = 1_000

/** Returns the name of each key: the parent's name if the parent has the key, otherwise a name that no other key has. */
function uniqueNames(
  names: readonly string[],
  keys: readonly string[],
  parent: BoundNames | undefined,
): readonly string[] {
  const usedNames = new UniqueNames(parent?.allNames())
  return names.map((name, index) => parent?.nameOf(keys[index]!) ?? usedNames.add(name))
}
