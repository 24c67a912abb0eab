import { inspect, types, type InspectOptions } from 'node:util'
import { holdsAsBytes } from '../encode/walk/listed-bytes.ts'
import { getterOf, valueOf } from '../record/value-of.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import { redacted } from '../redact/censor.ts'
import { copyOf, isInspectedByCode, isOpaque, displayedAs } from './redacted-copy.ts'
import { redactedPrint } from './shown-bytes.ts'

/** Maximum number of objects searched per call, and the maximum depth. Anything beyond either limit counts as a match. */
const maxObjects = 20_000
const maxDepth = 100
/** Inspection depth for opaque objects, whose contents only Node can read. */
const opaqueDepth = 20

/** How Node displays the values that are searched. */
export interface DisplayMode {
  /** Whether Node can display non-enumerable members and the targets of proxies. */
  readonly showHidden?: boolean
  /** Whether Node reads the members of an object and the members of those, as `console.table` does. */
  readonly readsCells?: boolean
  /** The options of `console.dir`. */
  readonly options?: InspectOptions
}

/** Searches the arguments of one console call, and copies those in which a pattern matches, with the matches redacted. */
export class ArgumentSearch {
  private readonly patterns: TextPatterns
  private readonly options: InspectOptions | undefined
  private readonly showHidden: boolean
  private readonly getters: boolean
  private readonly readsCells: boolean
  private readonly copies = new Map<object, unknown>()
  private seen = new Set<object>()

  constructor(patterns: TextPatterns, { showHidden = false, readsCells = false, options }: DisplayMode) {
    this.patterns = patterns
    this.options = options
    this.showHidden = showHidden || options?.showHidden === true || options?.showProxy === true
    this.getters = Boolean(options?.getters)
    this.readsCells = readsCells
  }

  redacted(value: unknown): unknown {
    if (typeof value === 'string') return this.patterns.redacted(value)
    if (!isObject(value)) return value
    this.seen = new Set()
    try {
      // A getter can return a different value each time, so the value that is searched must be the one that is displayed.
      const isRead = this.getters || (this.readsCells && hasGetters(value))
      return isRead || this.finds(value, 0) ? this.copy(value, 0) : value
    } catch {
      return displayedAs(redacted) // a proxy or a getter threw: its contents are unknown
    }
  }

  /** Returns whether the patterns match bytes, or a list of byte values. */
  isHidden(value: unknown): boolean {
    if (ArrayBuffer.isView(value)) {
      // The inherited `buffer` getter of a Buffer returns the whole underlying memory.
      const showsBuffer = (this.showHidden && this.getters) || types.isDataView(value)
      return this.patterns.findIn(showsBuffer ? new Uint8Array(value.buffer) : value)
    }
    if (types.isAnyArrayBuffer(value)) return this.patterns.findIn(new Uint8Array(value))
    if (types.isProxy(value)) return false
    const list = types.isSet(value) ? [...Set.prototype.values.call(value)] : value
    return Array.isArray(list) && holdsAsBytes(list, list.length, list.length, this.patterns)
  }

  /** Returns whether the patterns match anything that can be displayed of a value, or the value is too large to search. */
  private finds(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.patterns.redacted(value) !== value
    if (!isObject(value) || this.seen.has(value)) return false
    if (depth > maxDepth || this.seen.size > maxObjects) return true
    this.seen.add(value)
    if (this.isHidden(value)) return true
    if (isBytes(value)) return this.finds(namedMembers(value), depth)
    if (isOpaque(value)) return this.findsInside(value)
    if (types.isStringObject(value)) return this.finds(String.prototype.valueOf.call(value), depth)
    for (const part of partsOf(value)) if (this.finds(part, depth + 1)) return true
    return false
  }

  private copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.patterns.redacted(value)
    if (!isObject(value)) return value
    if (this.copies.has(value)) return this.copies.get(value)
    if (depth > maxDepth || this.copies.size > maxObjects) return displayedAs('[Object]')
    if (this.isHidden(value) || isBytes(value) || isOpaque(value)) {
      const shown = this.inPlaceOf(value)
      this.copies.set(value, shown)
      return shown
    }
    return copyOf(value, {
      part: (part) => this.copy(part, depth + 1),
      begun: (made) => void this.copies.set(value, made),
      read:
        this.getters || (this.readsCells && depth < 2) ? (get) => this.read(() => get.call(value), depth) : undefined,
      // With both options, Node calls the getters of the object's class, which fail on a copy.
      ofClass: this.getters && this.showHidden,
    })
  }

  private findsInside(value: object): boolean {
    return [false, this.showHidden].some((showHidden) => this.whole(value, showHidden).isFound)
  }

  /** Returns an object whose contents cannot be copied, or the text that replaces it. */
  private inPlaceOf(value: object): unknown {
    if (this.isHidden(value)) return displayedAs(redacted)
    const isShownUnchanged = this.isShownUnchanged(value)
    if (isBytes(value)) {
      const members = namedMembers(value)
      if (this.patterns.redacted(members) !== members) return displayedAs(redacted)
      return isShownUnchanged ? value : displayedAs(this.whole(value, this.showHidden).text)
    }
    if (isShownUnchanged && !this.getters && !this.findsInside(value)) return value
    return displayedAs(this.whole(value, this.showHidden).text)
  }

  /**
   * Returns whether Node displays an object the same way within a copy. `console.dir` does not call custom inspection functions by
   * default, but a copy is displayed with them on.
   */
  private isShownUnchanged(value: object): boolean {
    return this.options === undefined || this.options.customInspect === true || !isInspectedByCode(value)
  }

  /** Returns the untruncated, redacted text that Node displays for an object whose contents only Node can read. */
  private whole(value: object, showHidden: boolean): ReturnType<typeof redactedPrint> {
    const usual = { depth: opaqueDepth, breakLength: Infinity, showHidden, showProxy: showHidden }
    const options = this.options === undefined ? usual : { customInspect: false, ...this.options }
    return redactedPrint(this.patterns, () => inspect(value, { ...options, ...uncut }))
  }

  private read(get: () => unknown, depth: number): unknown {
    try {
      return this.copy(get(), depth + 1)
    } catch (error) {
      return displayedAs(this.patterns.redacted(thrownMarker(error)))
    }
  }
}

const uncut = { maxStringLength: Infinity, maxArrayLength: Infinity }

/** Returns the text that Node prints for bytes in addition to the bytes: members that were added to the object. */
function namedMembers(bytes: object): string {
  return inspect(bytes, { ...uncut, breakLength: Infinity, maxArrayLength: 0, customInspect: false })
}

function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)
}

/** Returns whether an object or one of its members has a getter. */
function hasGetters(value: object, depth = 0): boolean {
  if (types.isProxy(value)) return false
  return Reflect.ownKeys(value).some((key) => {
    const member = valueOf(value, key)
    return getterOf(value, key) !== undefined || (depth === 0 && isObject(member) && hasGetters(member, 1))
  })
}

/** Yields the values of an object's own members, of Map and Set entries, and the stack of an Error, which is the only getter called. */
function* partsOf(value: object): Generator {
  if (types.isMap(value)) for (const entry of Map.prototype.entries.call(value)) yield* entry
  if (types.isSet(value)) yield* Set.prototype.values.call(value)
  if (types.isNativeError(value)) yield value.stack
  for (const key of Reflect.ownKeys(value)) yield valueOf(value, key)
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
