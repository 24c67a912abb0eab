import { isToJSONPolluted, member } from '../../options/own-members.ts'
import { textOfBytes } from '../../redact/bytes.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { isHeadersName } from '../../redact/headers.ts'
import { isArrayIndex } from '../../redact/array-index.ts'
import { defaultReplacement, type Censor } from '../../redact/censor.ts'
import { stateOfReplacement, mergeStates, type RedactState } from '../../redact/state.ts'
import { maxBodyDepth, maxDepthLimit, type ResolvedLimits } from '../../values/limits.ts'
import { isStackExhausted, thrownMarker } from '../../values/thrown-marker.ts'
import { plainJson, type Dialect } from './dialect.ts'
import { callHook, mustSkipHook } from '../hooks.ts'
import { listedBytesMatch } from './listed-bytes.ts'
import { maxImmediateLength } from '../json/long-line.ts'
import { containerMarker, functionText, lengthOf } from './markers.ts'
import { Bytes, Items, Members } from './members.ts'
import { EntryNames } from './entry-names.ts'
import { numberText } from '../json/number-text.ts'
import { unwrapValue } from './unwrap-value.ts'
import { rootFor, ShapeSettings, type ShapeNode } from './shapes.ts'
import { TextLimits } from './text-limits.ts'

/** The redaction state without rules: for the result of a censor, and for data that is already redacted. */
export const noRules: RedactState = {
  censor: undefined,
  hasNoRules: true,
  hasOnlyHeaderRule: false,
  step: () => noRules,
  itemState: undefined,
  walkCache: undefined,
}

const noPath: readonly string[] = []
/** The smallest integer with twelve digits. Patterns do not search shorter numbers. */
const minTwelveDigitNumber = 1e11
/**
 * About how many keys and entries of a record may be enumerated in collections and truncated objects, which takes time even if few of them
 * are written. It is limited, because a huge object may occur in many places.
 */
const maxEnumerated = 2_000_000
const hasOwn = Object.prototype.hasOwnProperty

/** Adds entries to an object under their written names. */
export interface EntryWriter<T, O> {
  add(object: O, key: string, builtValue: T): O
}

/** An object that may have the method `toJSON`, which `JSON.stringify` calls. */
type MayHaveToJSON = { readonly toJSON?: unknown }

/**
 * The walk: one pass over a value that resolves it (`toJSON`, Map, Error, …), redacts it and builds a `T` from it. All targets share this
 * walk; a subclass defines what its target builds: `T` for any value, `O` for an object under construction, `A` for an array.
 *
 * If user code throws, only the member that it belongs to is replaced by a marker. The depth, the number of items and the total number of
 * values are limited, so that the cost of a deep or wide object is bounded by the size of a record.
 */
export abstract class Walk<T, O extends T, A extends T> {
  private maxDepth: number
  private readonly maxItems: number
  /** Whether the current value is, or is in, a body that is exempt from the limits of attributes. */
  private isInExemptBody = false
  private textLimits: TextLimits
  /** The maximum length of a value of bytes. */
  private maxBytesLength: number
  /** The maximum length, in UTF-16 units, of a string that needs neither a cut nor deferred escaping. */
  maxShortLength: number
  private readonly maxValues: number
  /** The syntax of the members that the target writes. */
  readonly dialect: Dialect
  private readonly nestedShapes: ShapeSettings
  /** The containers around the current value, by depth. The container at depth 0 has the top-level values, whose depth is 1. */
  private readonly ancestors: (object | undefined)[] = [undefined]
  /** The keys of these containers, for censors with a path argument. */
  private readonly path: string[] = []
  /** The redaction states of the containers around the current value, by depth. */
  private readonly states: RedactState[] = [noRules]
  private readonly limits: ResolvedLimits
  /** The patterns that redact text. */
  readonly patterns: TextPatterns | undefined
  /** Patterns search integers of at least this magnitude, as they search text, and every BigInt. Infinity without patterns. */
  readonly minSearchedNumber: number
  /** How many more values may be written. */
  private remainingValues = 0
  /** How many more keys and entries may be enumerated (see `maxEnumerated`). */
  private remainingEnumerated = 0

  constructor(limits: ResolvedLimits, dialect: Dialect = plainJson, patterns?: TextPatterns) {
    this.limits = limits
    this.dialect = dialect
    this.patterns = patterns
    this.minSearchedNumber = patterns === undefined ? Infinity : minTwelveDigitNumber
    this.nestedShapes = new ShapeSettings(dialect, undefined, patterns)
    this.maxDepth = limits.followsOpenTelemetry ? Math.min(limits.depth, maxDepthLimit) : limits.depth
    this.maxItems = limits.items
    this.textLimits = new TextLimits(limits, limits.stringLength, patterns)
    this.maxShortLength = Math.min(this.textLimits.maxUncutLength, maxImmediateLength)
    this.maxBytesLength = limits.stringLength
    // The number of values that can fit into `recordBytes`: a value and its comma take at least two bytes.
    this.maxValues = limits.values ?? limits.recordBytes / 2
  }

  abstract ofString(value: string): T
  /** Builds a string with many lines. */
  abstract ofMultilineString(value: string): T
  abstract ofNumber(value: number): T
  abstract ofBoolean(value: boolean): T
  abstract ofBigInt(value: bigint): T
  abstract ofNull(): T
  abstract ofBytes(value: Bytes): T
  /** Creates an object without members. */
  abstract newObject(): O
  /**
   * Adds a member. Returns the object, which may be a new one, because a target may build by concatenation. The same applies to the methods
   * below.
   *
   * @param isQuoteOpen - whether the closing quote of the last member's value is not written yet, because `withText` or
   *   `withScalar` has omitted it
   */
  abstract withMember(object: O, node: ShapeNode, builtValue: T, isQuoteOpen: boolean): O
  /** Adds a string that is within the limits. A target may omit its closing quote, which the next addition then writes. */
  abstract withText(object: O, node: ShapeNode, value: string, isQuoteOpen: boolean): O
  /**
   * Adds a number or a boolean, if the target has a faster method for that than `withMember`; otherwise returns undefined. If the format
   * quotes the value, the closing quote may be omitted: see `leavesQuoteOpen`.
   */
  withScalar(_object: O, _node: ShapeNode, _value: number | boolean, _isQuoteOpen: boolean): O | undefined {
    return undefined
  }
  /** Returns whether `withScalar` omits the closing quote of such a value. */
  leavesQuoteOpen(_value: number | boolean): boolean {
    return false
  }
  /** Whether the target implements `withScalar`. */
  readonly supportsWithScalar: boolean = false
  /** Returns the object with the closing quote of its last member's value, if that is not written yet. */
  abstract withQuoteClosed(object: O, isQuoteOpen: boolean): O
  /** Adds a member that has no `ShapeNode`, such as an entry of a Map, under its written name. */
  abstract withEntry(object: O, key: string, builtValue: T): O
  abstract closeObject(object: O, isQuoteOpen: boolean): T
  abstract newArray(): A
  abstract withItem(array: A, builtValue: T): A
  abstract closeArray(array: A): T
  /** Creates the object for the attributes of a record. */
  newAttributes(): O {
    return this.newObject()
  }
  /** Whether the values that the target builds can be inserted into a message, as text or JSON. */
  readonly canInsertIntoMessages: boolean = true
  /** Returns a value as it is inserted into a message: text without quotes, or JSON if `asJson` is true. */
  abstract textForMessage(builtValue: T, asJson: boolean): string

  /** Resets the limits for a new record. Must be called before each record. */
  begin(): void {
    this.remainingValues = this.maxValues
    this.remainingEnumerated = maxEnumerated
  }

  /** Continues a record with what is left of the limits of another walk. */
  takeBudgetOf(other: Walk<unknown, unknown, unknown>): void {
    this.remainingValues = other.remainingValues
    this.remainingEnumerated = other.remainingEnumerated
  }

  /** Sets the redaction state of the object that has the top-level values. `stateOfNames` needs it for top-level values that are pairs. */
  setTopState(state: RedactState): this {
    this.states[0] = state
    return this
  }

  /** Sets the object that has the next top-level values, if any. An occurrence of this object inside one of them is a cycle. */
  setTopObject(root: object | undefined): void {
    this.ancestors[0] = root
  }

  /** Builds a member's value. Returns undefined if the member is omitted. */
  member(value: unknown, node: ShapeNode, depth: number): T | undefined {
    return node.isRedacted
      ? this.redactedValue(value, node.redactState, depth, node.key)
      : this.value(value, node.redactState, depth, node.key)
  }

  /** Builds the marker for a member whose read threw `error`. */
  unreadableMember(error: unknown, node: ShapeNode, depth: number): T | undefined {
    return this.redactedValue(this.markerOfReadError(error), node.redactState, depth, node.key)
  }

  /** Builds a value that a rule may redact. Null and undefined reveal nothing and are not redacted, as in fast-redact. */
  redactedValue(value: unknown, state: RedactState, depth: number, key: string): T | undefined {
    const censor = state.censor
    return censor === undefined || value === undefined || value === null
      ? this.value(value, state, depth, key)
      : this.censoredValue(value, censor, state, depth, key)
  }

  /**
   * Builds a value that no rule redacts. Returns undefined if the value is omitted.
   *
   * @param depth - the number of containers around the value, including the top-level object: 1 for a top-level value
   * @param key - the key of the value, for `toJSON` and censors
   */
  value(value: unknown, state: RedactState, depth: number, key: string): T | undefined {
    // Not a switch, which would make V8 compute the name of the type first; these comparisons test the value directly.
    if (typeof value === 'string')
      return value.length > this.maxShortLength
        ? this.ofLongString(this.redactAndCut(value))
        : this.ofString(this.redactText(value))
    if (typeof value === 'number')
      return value >= this.minSearchedNumber || value <= -this.minSearchedNumber
        ? this.ofSearchedNumber(value)
        : this.ofNumber(value)
    if (typeof value === 'object') return value === null ? this.ofNull() : this.container(value, state, depth, key)
    if (typeof value === 'boolean') return this.ofBoolean(value)
    if (value === undefined) return undefined
    if (typeof value === 'bigint')
      return this.patterns === undefined ? this.ofBigInt(value) : this.ofSearchedNumber(value)
    return this.value(typeof value === 'symbol' ? String(value) : functionText(value), state, depth, key)
  }

  /**
   * Builds a record's body. With OpenTelemetry's limits, a body is exempt from the limits of attributes. Its depth is still limited,
   * because each level uses stack: a container that is too deep becomes a marker, and the record counts as cut.
   */
  body(value: unknown, state: RedactState): T | undefined {
    const { limits, maxDepth, textLimits, maxShortLength, maxBytesLength } = this
    if (!limits.followsOpenTelemetry) return this.redactedValue(value, state, 1, '')
    this.isInExemptBody = true
    this.maxDepth = Math.max(maxDepth, maxBodyDepth)
    this.textLimits = new TextLimits(limits, Infinity, this.patterns)
    this.maxShortLength = Math.min(this.textLimits.maxUncutLength, maxImmediateLength)
    this.maxBytesLength = Infinity
    try {
      return this.redactedValue(value, state, 1, '')
    } finally {
      this.isInExemptBody = false
      this.maxDepth = maxDepth
      this.textLimits = textLimits
      this.maxShortLength = maxShortLength
      this.maxBytesLength = maxBytesLength
    }
  }

  /** Builds a string that was longer than `maxShortLength` and was cut to the limits. */
  ofLongString(value: string): T {
    return this.ofString(value)
  }

  /** Returns a string with pattern matches redacted, cut to the limits. */
  redactAndCut(value: string): string {
    return this.textLimits.redactAndCut(value)
  }

  /** Returns a string with pattern matches redacted. For strings that are within the limits. */
  redactText(value: string): string {
    return this.patterns === undefined ? value : this.textLimits.redactText(value)
  }

  private ofSearchedNumber(value: number | bigint): T {
    const text = typeof value === 'bigint' || Number.isInteger(value) ? String(value) : ''
    const redacted = this.redactText(text)
    if (redacted !== text) return this.ofString(redacted)
    return typeof value === 'bigint' ? this.ofBigInt(value) : this.ofNumber(value)
  }

  /** Builds the replacement of a redacted value. Returns undefined if the value is omitted. */
  protected censoredValue(
    value: unknown,
    censor: Censor,
    state: RedactState,
    depth: number,
    key: string,
  ): T | undefined {
    if (censor.removesMember) return undefined
    if (censor.isConstant) return this.value(censor.replace(value, noPath), noRules, depth, key)
    if (censor.keepsValuesWithoutSecret) {
      const text = censor.replace(value, noPath)
      return this.value(text, text === value ? state : noRules, depth, key)
    }
    const path = [...this.path.slice(1, depth), key]
    // A censor that logs the value that it censors would recurse without end.
    const replacement = mustSkipHook(censor) ? defaultReplacement : callHook(censor, () => censor.replace(value, path))
    return this.value(replacement, stateOfReplacement(state, value, replacement), depth, key)
  }

  private container(value: object, state: RedactState, depth: number, key: string): T | undefined {
    for (let i = 0; i < depth; i++) if (this.ancestors[i] === value) return this.ofString('[Circular]')
    if (this.remainingEnumerated < 0) return this.ofString('[Object]')
    this.ancestors[depth] = value
    this.path[depth] = key
    try {
      return this.contents(value, state, depth, true)
    } catch (error) {
      return this.value(this.markerOfReadError(error), state, depth, key) // a proxy trap, or a hook
    }
  }

  private contents(value: object, state: RedactState, depth: number, mayCallToJSON: boolean): T | undefined {
    if (Array.isArray(value)) return this.items(value, lengthOf(value), state, depth)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (
      (prototype === Object.prototype || prototype === null) &&
      !(
        mayCallToJSON &&
        typeof (isToJSONPolluted() ? member(value as MayHaveToJSON, 'toJSON') : (value as MayHaveToJSON).toJSON) ===
          'function'
      )
    ) {
      return this.members(value as Record<string, unknown>, state, depth)
    }
    const unwrapped = unwrapValue(value, state, mayCallToJSON, this.path, depth, this.limits)
    if (unwrapped === value) return this.members(value as Record<string, unknown>, state, depth)
    if (unwrapped instanceof Bytes) return this.bytes(unwrapped)
    if (unwrapped instanceof Members) {
      this.remainingEnumerated -= unwrapped.size
      return this.entries(unwrapped, state, depth)
    }
    if (unwrapped instanceof Items) {
      this.remainingEnumerated -= unwrapped.size
      return this.items(unwrapped.firstItems, unwrapped.size, state, depth)
    }
    if (typeof unwrapped === 'object' && unwrapped !== null) return this.contents(unwrapped, state, depth, false)
    return this.value(unwrapped, state, depth, this.path[depth]!)
  }

  /** Builds bytes: a replacement if they contain a secret, otherwise the bytes or, if they are too long, their beginning. */
  private bytes(value: Bytes): T {
    if (this.patterns?.matchesBytes(value.bytes) === true) return this.ofString(defaultReplacement)
    const omittedCount = value.bytes.length - this.maxBytesLength
    if (omittedCount <= 0) return this.ofBytes(value)
    const kept = new Bytes(value.bytes.subarray(0, this.maxBytesLength))
    return this.limits.followsOpenTelemetry
      ? this.ofBytes(kept)
      : this.ofString(`${kept.toBase64()}…[+${omittedCount} bytes]`)
  }

  private members(source: Record<string, unknown>, state: RedactState, depth: number): T {
    if (depth > this.maxDepth) {
      const size = this.emptiesDeepContainers ? 0 : Object.keys(source).length
      this.remainingEnumerated -= size
      return this.depthMarker('Object', size)
    }
    this.states[depth] = state
    let node = rootFor(state, this.nestedShapes)
    let object = this.newObject()
    let isQuoteOpen = false
    let count = 0
    for (const key in source) {
      if (!hasOwn.call(source, key)) continue
      if (count === this.maxItems || --this.remainingValues < 0) {
        // The item limit alone does not count as a cut record.
        if (this.remainingValues < 0) this.limits.onTruncated?.()
        const size = Object.keys(source).length
        this.remainingEnumerated -= size
        return this.closeObject(
          this.withTruncationMarker(this.withQuoteClosed(object, isQuoteOpen), size - count),
          false,
        )
      }
      count++
      const recentNextNode = node.recentNextNode
      node = recentNextNode !== undefined && recentNextNode.key === key ? recentNextNode : node.follow(key)
      let builtValue: T | undefined
      try {
        const value = source[key]
        if (typeof value === 'string' && !node.isRedacted && value.length <= this.maxShortLength) {
          object = this.withText(object, node, this.redactText(value), isQuoteOpen)
          isQuoteOpen = true
          continue
        }
        if (this.supportsWithScalar && !node.isRedacted && this.isPlainScalar(value)) {
          const added = this.withScalar(object, node, value, isQuoteOpen)
          if (added !== undefined) {
            object = added
            isQuoteOpen = this.leavesQuoteOpen(value)
            continue
          }
        }
        builtValue = this.member(value, node, depth + 1)
      } catch (error) {
        builtValue = this.unreadableMember(error, node, depth + 1)
      }
      if (builtValue === undefined) continue
      object = this.withMember(object, node, builtValue, isQuoteOpen)
      isQuoteOpen = false
    }
    return this.closeObject(object, isQuoteOpen)
  }

  private items(source: readonly unknown[], length: number, state: RedactState, depth: number): T {
    if (depth > this.maxDepth) return this.depthMarker('Array', length)
    const writtenCount = Math.min(length, this.maxItems)
    if (this.patterns !== undefined && listedBytesMatch(source, length, writtenCount, this.patterns))
      return this.ofString(defaultReplacement)
    const nameState = this.stateOfNames(length, depth, state)
    const sharedState = state.hasNoRules ? state : state.itemState
    let array = this.newArray()
    let previousItem: unknown
    let index = 0
    this.states[depth] = state
    for (; index < writtenCount; index++) {
      if (--this.remainingValues < 0) {
        this.limits.onTruncated?.()
        break
      }
      const key = numberText(index)
      let itemState = sharedState ?? state.step(key)
      let builtValue: T | undefined
      try {
        const item = source[index]
        if (nameState !== undefined) {
          if (index % 2 === 0) previousItem = item
          else {
            const name = typeof previousItem === 'string' ? previousItem : textOfBytes(previousItem)
            if (name !== undefined) itemState = mergeStates(itemState, nameState.step(name))
          }
        }
        builtValue = this.redactedValue(item, itemState, depth + 1, key)
      } catch (error) {
        builtValue = this.redactedValue(this.markerOfReadError(error), itemState, depth + 1, key)
      }
      array = this.withItem(array, builtValue ?? this.ofNull())
    }
    if (index < length) array = this.withItem(array, this.ofString(`[+${length - index} items]`))
    return this.closeArray(array)
  }

  /**
   * Returns the redaction state whose rules apply to the names in a list of names and values; undefined if the current list is not one.
   * Such lists are the pairs of `[[name, value], …]`, the form of Map entries and header fields, also if the pairs are members of an
   * object, and `[name, value, …]` below a member that contains headers, such as Node's `rawHeaders`.
   */
  private stateOfNames(length: number, depth: number, state: RedactState): RedactState | undefined {
    const key = this.path[depth]!
    if (isHeadersName(key)) return state
    return length === 2 && isArrayIndex(key) ? this.states[depth - 1] : undefined
  }

  /**
   * Builds an object at the top level.
   *
   * @param owner - the object whose members these are; its occurrence inside them is a cycle
   * @param key - the key of the object for rules
   */
  topMembers(members: Members, owner: object, key: string, state: RedactState): T {
    this.ancestors[1] = owner
    this.path[1] = key
    return this.entries(members, state, 1)
  }

  private entries(members: Members, state: RedactState, depth: number): T {
    if (depth > this.maxDepth) return this.depthMarker('Object', members.size)
    const objectState = members.areHeaders ? mergeStates(state, state.step('headers')) : state
    this.states[depth] = objectState
    const writer = this.entryWriter(members)
    let object = this.newObject()
    let count = 0
    for (const { key, ruleKey, value } of members.entries) {
      if (--this.remainingValues < 0) {
        this.limits.onTruncated?.()
        break
      }
      count++
      const builtValue = this.redactedValue(value, objectState.step(ruleKey), depth + 1, ruleKey)
      if (builtValue !== undefined) object = writer.add(object, key, builtValue)
    }
    return this.closeObject(
      count < members.size ? this.withTruncationMarker(object, members.size - count) : object,
      false,
    )
  }

  /** Returns whether a value is a boolean, or a number whose magnitude is less than `minSearchedNumber`. */
  isPlainScalar(value: unknown): value is number | boolean {
    if (typeof value === 'number') return value < this.minSearchedNumber && value > -this.minSearchedNumber
    return typeof value === 'boolean'
  }

  /** Creates the writer of an object's entries. It redacts the names if there are patterns, and keeps changed names unique. */
  entryWriter({ entries }: Members): EntryWriter<T, O> {
    const { patterns, dialect } = this
    const isRenamed =
      patterns !== undefined || (dialect.requiresWellFormed && entries.some(({ key }) => !key.isWellFormed()))
    if (!isRenamed) return { add: (object, key, builtValue) => this.withEntry(object, key, builtValue) }
    const names = new EntryNames(patterns, dialect.requiresWellFormed)
    return { add: (object, key, builtValue) => this.withEntry(object, names.add(key), builtValue) }
  }

  /**
   * Whether a container that is too deep becomes an empty value without a marker. This is so for the limit of `depth` in
   * OpenTelemetry's limits of attributes, but not for `maxDepthLimit` and `maxBodyDepth`, which protect the stack.
   */
  private get emptiesDeepContainers(): boolean {
    return this.limits.followsOpenTelemetry && !this.isInExemptBody && this.limits.depth <= maxDepthLimit
  }

  /** Builds what replaces a container over the depth limit. */
  private depthMarker(kind: 'Array' | 'Object', size: number): T {
    if (this.emptiesDeepContainers) return this.ofNull()
    if (this.limits.followsOpenTelemetry) this.limits.onTruncated?.()
    return this.ofString(containerMarker(kind, size))
  }

  /** Returns the marker for a value whose read threw `error`. After a stack overflow, the record counts as cut. */
  private markerOfReadError(error: unknown): string {
    if (isStackExhausted(error)) this.limits.onTruncated?.()
    return thrownMarker(error)
  }

  /** Adds the member that counts the keys over the limit. */
  private withTruncationMarker(object: O, omittedCount: number): O {
    return this.withEntry(object, '[truncated]', this.ofString(`+${omittedCount} keys`))
  }
}
