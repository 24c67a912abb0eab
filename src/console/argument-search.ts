import { inspect, types, type InspectOptions } from 'node:util'
import { listedBytesMatch } from '../encode/walk/listed-bytes.ts'
import { ownGetter, ownDataValue } from '../record/own-data-value.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import { defaultReplacement } from '../redact/censor.ts'
import { copyOf, hasCustomInspection, isOpaque, objectDisplayedAs } from './redacted-copy.ts'
import { printRedacted } from './redact-printed-bytes.ts'

/**
 * Maximum number of objects searched in each argument, and their maximum depth. An argument that exceeds a limit counts as a match, and
 * is copied; objects over the limits are displayed as `[Object]` in the copy.
 */
const maxObjects = 20_000
const maxDepth = 100
/** Inspection depth for opaque objects (`isOpaque`). The text that Node displays for them is searched, not their members. */
const opaqueDepth = 20

/** How Node displays the values that are searched. */
export interface DisplayMode {
  /** Whether Node can display non-enumerable members and the targets of proxies. */
  readonly showHidden?: boolean
  /** Whether Node reads members of members, also through getters, as `console.table` does for its cells. */
  readonly readsCells?: boolean
  /** The options of `console.dir`. */
  readonly dirOptions?: InspectOptions
}

/** Searches the arguments of one console call, and copies those in which a pattern matches, with the matches redacted. */
export class ArgumentSearch {
  private readonly patterns: TextPatterns
  private readonly dirOptions: InspectOptions | undefined
  private readonly showHidden: boolean
  private readonly readsGetters: boolean
  private readonly readsCells: boolean
  private readonly copies = new Map<object, unknown>()
  private seen = new Set<object>()

  constructor(patterns: TextPatterns, { showHidden = false, readsCells = false, dirOptions }: DisplayMode) {
    this.patterns = patterns
    this.dirOptions = dirOptions
    this.showHidden = showHidden || dirOptions?.showHidden === true || dirOptions?.showProxy === true
    this.readsGetters = Boolean(dirOptions?.getters)
    this.readsCells = readsCells
  }

  /**
   * Returns the argument unchanged if no pattern matches and Node reads no getters of it; otherwise a text or copy with the matches
   * redacted.
   */
  redactArgument(value: unknown): unknown {
    if (typeof value === 'string') return this.patterns.redact(value)
    if (!isObjectOrFunction(value)) return value
    this.seen = new Set()
    try {
      // A getter can return another value when Node calls it later. In a copy, it always returns the value that was searched.
      const mustCopy = this.readsGetters || (this.readsCells && hasGetters(value))
      return mustCopy || this.hasMatch(value, 0) ? this.copy(value, 0) : value
    } catch {
      return objectDisplayedAs(defaultReplacement) // a proxy or a getter threw: its contents are unknown
    }
  }

  /** Returns whether the value is bytes, or a list of byte values, in which patterns match. */
  hasMatchingBytes(value: unknown): boolean {
    if (ArrayBuffer.isView(value)) {
      // Node displays the memory that a view is a part of: that of a DataView always, and that of a Buffer with `showHidden` and
      // `getters`, through the getter `parent`.
      const showsBuffer = (this.showHidden && this.readsGetters) || types.isDataView(value)
      return this.patterns.matchesBytes(showsBuffer ? new Uint8Array(value.buffer) : value)
    }
    if (types.isAnyArrayBuffer(value)) return this.patterns.matchesBytes(new Uint8Array(value))
    if (types.isProxy(value)) return false
    const list = types.isSet(value) ? [...Set.prototype.values.call(value)] : value
    return Array.isArray(list) && listedBytesMatch(list, list.length, list.length, this.patterns)
  }

  /** Returns whether the patterns match anything that can be displayed of a value, or the value is too large to search. */
  private hasMatch(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.patterns.redact(value) !== value
    if (!isObjectOrFunction(value) || this.seen.has(value)) return false
    if (depth > maxDepth || this.seen.size > maxObjects) return true
    this.seen.add(value)
    if (this.hasMatchingBytes(value)) return true
    if (isBytes(value)) return this.hasMatch(namedMembersText(value), depth)
    if (isOpaque(value)) return this.hasMatchInside(value)
    if (types.isStringObject(value)) return this.hasMatch(String.prototype.valueOf.call(value), depth)
    for (const part of partsOf(value)) if (this.hasMatch(part, depth + 1)) return true
    return false
  }

  /** Returns a copy that Node displays like the value, with the matches redacted; the value itself if it needs no copy. */
  private copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.patterns.redact(value)
    if (!isObjectOrFunction(value)) return value
    if (this.copies.has(value)) return this.copies.get(value)
    if (depth > maxDepth || this.copies.size > maxObjects) return objectDisplayedAs('[Object]')
    if (this.hasMatchingBytes(value) || isBytes(value) || isOpaque(value)) {
      const replacement = this.replacementOf(value)
      this.copies.set(value, replacement)
      return replacement
    }
    return copyOf(value, {
      copyPart: (part) => this.copy(part, depth + 1),
      onCreated: (created) => void this.copies.set(value, created),
      // The cells of a table are members of members, so Node reads getters at the depths 0 and 1.
      readGetter:
        this.readsGetters || (this.readsCells && depth < 2)
          ? (get) => this.copyGetterValue(() => get.call(value), depth)
          : undefined,
      // With `getters` and `showHidden`, Node also calls the getters of the object's class. They can fail on a copy, so it gets their
      // values.
      copiesClassGetters: this.readsGetters && this.showHidden,
    })
  }

  /** Returns whether patterns match the text that Node displays for an opaque object. */
  private hasMatchInside(value: object): boolean {
    return [false, this.showHidden].some((showHidden) => this.inspectUntruncated(value, showHidden).isRedacted)
  }

  /**
   * Returns what a copy contains in place of bytes or an opaque object, which cannot be copied: the object itself, or an object that is
   * displayed as its redacted text, or as the default replacement for bytes in which patterns match.
   */
  private replacementOf(value: object): unknown {
    if (this.hasMatchingBytes(value)) return objectDisplayedAs(defaultReplacement)
    const isShownUnchanged = this.isShownUnchanged(value)
    if (isBytes(value)) {
      const members = namedMembersText(value)
      if (this.patterns.redact(members) !== members) return objectDisplayedAs(defaultReplacement)
      return isShownUnchanged ? value : objectDisplayedAs(this.inspectUntruncated(value, this.showHidden).text)
    }
    // With `getters`, Node would call them again, and they could return other values than those that were searched.
    if (isShownUnchanged && !this.readsGetters && !this.hasMatchInside(value)) return value
    return objectDisplayedAs(this.inspectUntruncated(value, this.showHidden).text)
  }

  /**
   * Returns whether Node displays an object the same way within a copy. `console.dir` does not call custom inspection functions by
   * default, but a copy is displayed with them on.
   */
  private isShownUnchanged(value: object): boolean {
    return this.dirOptions === undefined || this.dirOptions.customInspect === true || !hasCustomInspection(value)
  }

  /** Returns the text that Node displays for bytes or an opaque object if it truncates no strings and lists, redacted. */
  private inspectUntruncated(value: object, showHidden: boolean): ReturnType<typeof printRedacted> {
    const consoleOptions = { depth: opaqueDepth, breakLength: Infinity, showHidden, showProxy: showHidden }
    const options = this.dirOptions === undefined ? consoleOptions : { customInspect: false, ...this.dirOptions }
    return printRedacted(this.patterns, () => inspect(value, { ...options, ...untruncated }))
  }

  private copyGetterValue(get: () => unknown, depth: number): unknown {
    try {
      return this.copy(get(), depth + 1)
    } catch (error) {
      return objectDisplayedAs(this.patterns.redact(thrownMarker(error)))
    }
  }
}

const untruncated = { maxStringLength: Infinity, maxArrayLength: Infinity }

/** Returns the text that Node prints for bytes in addition to the bytes: members that were added to the object. */
function namedMembersText(bytes: object): string {
  return inspect(bytes, { ...untruncated, breakLength: Infinity, maxArrayLength: 0, customInspect: false })
}

function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)
}

/** Returns whether an object or one of its members has a getter. */
function hasGetters(value: object, depth = 0): boolean {
  if (types.isProxy(value)) return false
  return Reflect.ownKeys(value).some((key) => {
    const member = ownDataValue(value, key)
    return ownGetter(value, key) !== undefined || (depth === 0 && isObjectOrFunction(member) && hasGetters(member, 1))
  })
}

/** Yields the values of an object's own members, of Map and Set entries, and the stack of an Error. Calls no getter but that of `stack`. */
function* partsOf(value: object): Generator {
  if (types.isMap(value)) for (const entry of Map.prototype.entries.call(value)) yield* entry
  if (types.isSet(value)) yield* Set.prototype.values.call(value)
  if (types.isNativeError(value)) yield value.stack
  for (const key of Reflect.ownKeys(value)) yield ownDataValue(value, key)
}

function isObjectOrFunction(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
