import { isToJSONPolluted, member } from '../../options/own-members.ts'
import { textOfBytes } from '../../redact/bytes.ts'
import { redacted } from '../../redact/censor.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { isHeaders } from '../../redact/headers.ts'
import { isArrayIndex } from '../../redact/keys.ts'
import { replacedState, unionState, type Censor, type RedactState } from '../../redact/redact.ts'
import { bodyDepth, maxDepthLimit, type ResolvedLimits } from '../../values/limits.ts'
import { isStackExhausted, thrownMarker } from '../../values/thrown-marker.ts'
import { plainJson, type Dialect } from './dialect.ts'
import { callHook, isHookRunning } from '../hooks.ts'
import { holdsAsBytes } from './listed-bytes.ts'
import { longString } from '../json/long-line.ts'
import { containerMarker, functionText, lengthOf } from './markers.ts'
import { Bytes, Items, Members } from './members.ts'
import { EntryNames } from './entry-names.ts'
import { numberText } from '../json/number-text.ts'
import { unwrapValue } from './unwrap-value.ts'
import { shapesAt, ShapeSettings, type ShapeNode } from './shapes.ts'
import { TextLimits } from './text-limits.ts'

/** The rules for the result of a censor, and for data that is already redacted. */
export const noRules: RedactState = {
  censor: undefined,
  inert: true,
  findsHeadersOnly: false,
  step: () => noRules,
  item: undefined,
  cache: undefined,
}

const noPath: readonly string[] = []
/** The smallest number with twelve digits. */
const leastLongNumber = 1e11
/** About how many members a record may list in addition to those it writes, because a huge object may occur in many places. */
const maxEffort = 2_000_000
const hasOwn = Object.prototype.hasOwnProperty

/** Writer of the entries of an object, under names that are unique in the target. */
export interface EntryWriter<T, O> {
  add(object: O, key: string, part: T): O
}

/** An object that may have the `toJSON` method of `JSON.stringify`. */
type Hooked = { readonly toJSON?: unknown }

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
  /** Whether the current value is in a body that is exempt from the limits of attributes. */
  private isBody = false
  private texts: TextLimits
  private maxBytes: number
  /** The length, in UTF-16 units, up to which a string needs neither a cut nor deferred escaping. */
  usual: number
  private readonly maxValues: number
  /** The syntax of the members that the target writes. */
  readonly dialect: Dialect
  private readonly nested: ShapeSettings
  /** The containers around the current value, by depth. The container at depth 0 has the top-level values, whose depth is 1. */
  private readonly ancestors: (object | undefined)[] = [undefined]
  /** The keys of these containers, for censors with a path argument. */
  private readonly path: string[] = []
  /** The rules for the containers around the current value, by depth. */
  private readonly states: RedactState[] = [noRules]
  private readonly limits: ResolvedLimits
  /** The patterns that redact text. */
  readonly patterns: TextPatterns | undefined
  /** Integers of at least this magnitude are searched by patterns, as text is. */
  readonly longNumber: number
  /** How many more values may be written. */
  private room = 0
  /** How many more keys and entries may be listed without being written. */
  private effort = 0

  constructor(limits: ResolvedLimits, dialect: Dialect = plainJson, patterns?: TextPatterns) {
    this.limits = limits
    this.dialect = dialect
    this.patterns = patterns
    this.longNumber = patterns === undefined ? Infinity : leastLongNumber
    this.nested = new ShapeSettings(dialect, undefined, patterns)
    this.maxDepth = limits.bare ? Math.min(limits.depth, maxDepthLimit) : limits.depth
    this.maxItems = limits.items
    this.texts = new TextLimits(limits, limits.stringLength, patterns)
    this.usual = Math.min(this.texts.longest, longString)
    this.maxBytes = limits.stringLength
    // A value and its comma take at least two bytes.
    this.maxValues = limits.values ?? limits.recordBytes / 2
  }

  abstract ofString(value: string): T
  /** Builds a string with many lines. */
  abstract ofLines(value: string): T
  abstract ofNumber(value: number): T
  abstract ofBoolean(value: boolean): T
  abstract ofBigInt(value: bigint): T
  abstract ofNull(): T
  abstract ofBytes(value: Bytes): T
  /** Creates an object without members. */
  abstract object(): O
  /**
   * Adds a member. Returns the object, which may be a new one, because a target may build by concatenation. The same applies to the methods
   * below.
   *
   * @param inText - whether the last member was left open, as `withText` may do
   */
  abstract withMember(object: O, node: ShapeNode, part: T, inText: boolean): O
  /** Adds a string that is within the limits. A target may leave it open, to be closed by the next addition. */
  abstract withText(object: O, node: ShapeNode, value: string, inText: boolean): O
  /**
   * Adds a number or a boolean, if the target has a faster method for that than `withMember`; otherwise returns undefined. The added value
   * may be left open like a string: see `leavesOpen`.
   */
  withScalar(_object: O, _node: ShapeNode, _value: number | boolean, _inText: boolean): O | undefined {
    return undefined
  }
  /** Returns whether `withScalar` leaves such a value open. */
  leavesOpen(_value: number | boolean): boolean {
    return false
  }
  /** Whether the target implements `withScalar`. */
  readonly hasScalars: boolean = false
  /** Returns the object with its last member closed. */
  abstract settled(object: O, inText: boolean): O
  abstract withEntry(object: O, key: string, part: T): O
  abstract closeObject(object: O, inText: boolean): T
  abstract array(): A
  abstract withItem(array: A, part: T): A
  abstract closeArray(array: A): T
  /** Creates the object for the attributes of a record. */
  attributes(): O {
    return this.object()
  }
  /** Whether the target's values can be inserted into a message. */
  readonly canInsert: boolean = true
  /** Returns a value as it is inserted into a message: text without quotes, or JSON with `json`. */
  abstract inserted(part: T, json: boolean): string

  /** Resets the limits for a new record. Must be called before each record. */
  begin(): void {
    this.room = this.maxValues
    this.effort = maxEffort
  }

  /** Continues a record with the remaining limits of another walk. */
  continue(other: Walk<unknown, unknown, unknown>): void {
    this.room = other.room
    this.effort = other.effort
  }

  /** Sets the rules for the object that has the top-level values, because a list can be logged as the object of a call. */
  within(state: RedactState): this {
    this.states[0] = state
    return this
  }

  /** Sets the object that has the next top-level values, if any. An occurrence of it inside them is a cycle. */
  inside(root: object | undefined): void {
    this.ancestors[0] = root
  }

  /** Builds a member's value. Returns undefined if the member is omitted. */
  member(value: unknown, node: ShapeNode, depth: number): T | undefined {
    return node.isRedacted
      ? this.place(value, node.state, depth, node.key)
      : this.value(value, node.state, depth, node.key)
  }

  /** Builds the marker for a member that could not be read. */
  unread(error: unknown, node: ShapeNode, depth: number): T | undefined {
    return this.place(this.thrown(error), node.state, depth, node.key)
  }

  /** Builds a value that a rule may redact. Null and undefined reveal nothing and are not redacted, as in fast-redact. */
  place(value: unknown, state: RedactState, depth: number, key: string): T | undefined {
    const censor = state.censor
    return censor === undefined || value === undefined || value === null
      ? this.value(value, state, depth, key)
      : this.censored(value, censor, state, depth, key)
  }

  /**
   * Builds a value that no rule redacts. Returns undefined if the value is omitted.
   *
   * @param key - the key of the value, for `toJSON` and censors
   */
  value(value: unknown, state: RedactState, depth: number, key: string): T | undefined {
    // Not a switch, which would make V8 compute the name of the type first; these comparisons test the value directly.
    if (typeof value === 'string')
      return value.length > this.usual ? this.ofLong(this.cut(value)) : this.ofString(this.clean(value))
    if (typeof value === 'number')
      return value >= this.longNumber || value <= -this.longNumber ? this.ofLongNumber(value) : this.ofNumber(value)
    if (typeof value === 'object') return value === null ? this.ofNull() : this.container(value, state, depth, key)
    if (typeof value === 'boolean') return this.ofBoolean(value)
    if (value === undefined) return undefined
    if (typeof value === 'bigint') return this.patterns === undefined ? this.ofBigInt(value) : this.ofLongNumber(value)
    return this.ofString(this.clean(typeof value === 'symbol' ? String(value) : functionText(value)))
  }

  /**
   * Builds a record's body. With OpenTelemetry's limits, a body is exempt from the limits of attributes (LIM7). Its depth is still limited,
   * because each level uses stack: a container that is too deep becomes a marker, and the record counts as cut.
   */
  body(value: unknown, state: RedactState): T | undefined {
    const { limits, maxDepth, texts, usual, maxBytes } = this
    if (!limits.bare) return this.place(value, state, 1, '')
    this.isBody = true
    this.maxDepth = Math.max(maxDepth, bodyDepth)
    this.texts = new TextLimits(limits, Infinity, this.patterns)
    this.usual = Math.min(this.texts.longest, longString)
    this.maxBytes = Infinity
    try {
      return this.place(value, state, 1, '')
    } finally {
      this.isBody = false
      this.maxDepth = maxDepth
      this.texts = texts
      this.usual = usual
      this.maxBytes = maxBytes
    }
  }

  /** Builds a string that was longer than `usual`. It is within the limits. */
  ofLong(value: string): T {
    return this.ofString(value)
  }

  /** Returns a string with pattern matches redacted, cut to the limits. */
  cut(value: string): string {
    return this.texts.cut(value)
  }

  /** Returns a string that is within the limits with pattern matches redacted. */
  clean(value: string): string {
    return this.patterns === undefined ? value : this.texts.clean(value)
  }

  private ofLongNumber(value: number | bigint): T {
    const text = typeof value === 'bigint' || Number.isInteger(value) ? String(value) : ''
    const clean = this.clean(text)
    if (clean !== text) return this.ofString(clean)
    return typeof value === 'bigint' ? this.ofBigInt(value) : this.ofNumber(value)
  }

  protected censored(value: unknown, censor: Censor, state: RedactState, depth: number, key: string): T | undefined {
    if (censor.remove) return undefined
    if (censor.constant) return this.value(censor.replace(value, noPath), noRules, depth, key)
    if (censor.isOfTexts) {
      const text = censor.replace(value, noPath)
      return this.value(text, text === value ? state : noRules, depth, key)
    }
    const path = [...this.path.slice(1, depth), key]
    // A censor that logs the value that it censors would recurse without end.
    const replacement = isHookRunning(censor) ? redacted : callHook(censor, () => censor.replace(value, path))
    return this.value(replacement, replacedState(state, value, replacement), depth, key)
  }

  private container(value: object, state: RedactState, depth: number, key: string): T | undefined {
    for (let i = 0; i < depth; i++) if (this.ancestors[i] === value) return this.ofString('[Circular]')
    if (this.effort < 0) return this.ofString('[Object]')
    this.ancestors[depth] = value
    this.path[depth] = key
    try {
      return this.contents(value, state, depth, true)
    } catch (error) {
      return this.value(this.thrown(error), state, depth, key) // a proxy trap, or a hook
    }
  }

  private contents(value: object, state: RedactState, depth: number, mayHook: boolean): T | undefined {
    if (Array.isArray(value)) return this.items(value, lengthOf(value), state, depth)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (
      (prototype === Object.prototype || prototype === null) &&
      !(
        mayHook &&
        typeof (isToJSONPolluted() ? member(value as Hooked, 'toJSON') : (value as Hooked).toJSON) === 'function'
      )
    ) {
      return this.members(value as Record<string, unknown>, state, depth)
    }
    const unwrapped = unwrapValue(value, state, mayHook, this.path, depth, this.limits)
    if (unwrapped === value) return this.members(value as Record<string, unknown>, state, depth)
    if (unwrapped instanceof Bytes) return this.bytes(unwrapped)
    if (unwrapped instanceof Members) {
      this.effort -= unwrapped.size
      return this.entries(unwrapped, state, depth)
    }
    if (unwrapped instanceof Items) {
      this.effort -= unwrapped.size
      return this.items(unwrapped.first, unwrapped.size, state, depth)
    }
    if (typeof unwrapped === 'object' && unwrapped !== null) return this.contents(unwrapped, state, depth, false)
    return this.value(unwrapped, state, depth, this.path[depth]!)
  }

  private bytes(value: Bytes): T {
    if (this.patterns?.findIn(value.bytes) === true) return this.ofString(redacted)
    const more = value.bytes.length - this.maxBytes
    if (more <= 0) return this.ofBytes(value)
    const kept = new Bytes(value.bytes.subarray(0, this.maxBytes))
    return this.limits.bare ? this.ofBytes(kept) : this.ofString(`${kept.text()}…[+${more} bytes]`)
  }

  private members(source: Record<string, unknown>, state: RedactState, depth: number): T {
    if (depth > this.maxDepth) {
      const size = this.isBare ? 0 : Object.keys(source).length
      this.effort -= size
      return this.tooDeep('Object', size)
    }
    this.states[depth] = state
    let node = shapesAt(state, this.nested)
    let object = this.object()
    let inText = false
    let count = 0
    for (const key in source) {
      if (!hasOwn.call(source, key)) continue
      if (count === this.maxItems || --this.room < 0) {
        if (this.room < 0) this.limits.truncated?.()
        const size = Object.keys(source).length
        this.effort -= size
        return this.closeObject(this.truncated(this.settled(object, inText), size - count), false)
      }
      count++
      const follower = node.nextShape
      node = follower !== undefined && follower.key === key ? follower : node.follow(key)
      let part: T | undefined
      try {
        const value = source[key]
        if (typeof value === 'string' && !node.isRedacted && value.length <= this.usual) {
          object = this.withText(object, node, this.clean(value), inText)
          inText = true
          continue
        }
        if (this.hasScalars && !node.isRedacted && this.isShort(value)) {
          const added = this.withScalar(object, node, value, inText)
          if (added !== undefined) {
            object = added
            inText = this.leavesOpen(value)
            continue
          }
        }
        part = this.member(value, node, depth + 1)
      } catch (error) {
        part = this.unread(error, node, depth + 1)
      }
      if (part === undefined) continue
      object = this.withMember(object, node, part, inText)
      inText = false
    }
    return this.closeObject(object, inText)
  }

  private items(source: readonly unknown[], length: number, state: RedactState, depth: number): T {
    if (depth > this.maxDepth) return this.tooDeep('Array', length)
    const shown = Math.min(length, this.maxItems)
    if (this.patterns !== undefined && holdsAsBytes(source, length, shown, this.patterns))
      return this.ofString(redacted)
    const namedState = this.namedBy(length, depth, state)
    const sharedState = state.inert ? state : state.item
    let array = this.array()
    let before: unknown
    let index = 0
    this.states[depth] = state
    for (; index < shown; index++) {
      if (--this.room < 0) {
        this.limits.truncated?.()
        break
      }
      const key = numberText(index)
      let itemState = sharedState ?? state.step(key)
      let part: T | undefined
      try {
        const item = source[index]
        if (namedState !== undefined) {
          if (index % 2 === 0) before = item
          else {
            const name = typeof before === 'string' ? before : textOfBytes(before)
            if (name !== undefined) itemState = unionState(itemState, namedState.step(name))
          }
        }
        part = this.place(item, itemState, depth + 1, key)
      } catch (error) {
        part = this.place(this.thrown(error), itemState, depth + 1, key)
      }
      array = this.withItem(array, part ?? this.ofNull())
    }
    if (index < length) array = this.withItem(array, this.ofString(`[+${length - index} items]`))
    return this.closeArray(array)
  }

  /**
   * Returns the rules of the object whose member names are in a list; undefined if the list contains no names. Such lists are the pairs of
   * `[[name, value], …]`, the form of Map entries and header fields, also if the pairs are members of an object, and `[name, value, …]`
   * below a member that contains headers, such as Node's `rawHeaders`.
   */
  private namedBy(length: number, depth: number, state: RedactState): RedactState | undefined {
    const key = this.path[depth]!
    if (isHeaders(key)) return state
    return length === 2 && isArrayIndex(key) ? this.states[depth - 1] : undefined
  }

  /** Builds the members that `owner` has under `key` at the top level. */
  topMembers(members: Members, owner: object, key: string, state: RedactState): T {
    this.ancestors[1] = owner
    this.path[1] = key
    return this.entries(members, state, 1)
  }

  private entries(members: Members, state: RedactState, depth: number): T {
    if (depth > this.maxDepth) return this.tooDeep('Object', members.size)
    const rules = members.areHeaders ? unionState(state, state.step('headers')) : state
    this.states[depth] = rules
    const writer = this.entryWriter(members)
    let object = this.object()
    let count = 0
    for (const { key, rule, value } of members.entries) {
      if (--this.room < 0) {
        this.limits.truncated?.()
        break
      }
      count++
      const part = this.place(value, rules.step(rule), depth + 1, rule)
      if (part !== undefined) object = writer.add(object, key, part)
    }
    return this.closeObject(count < members.size ? this.truncated(object, members.size - count) : object, false)
  }

  /** Returns whether a value is a boolean, or a number that patterns need not search. */
  isShort(value: unknown): value is number | boolean {
    if (typeof value === 'number') return value < this.longNumber && value > -this.longNumber
    return typeof value === 'boolean'
  }

  /** Creates the writer of an object's entries. */
  entryWriter({ entries }: Members): EntryWriter<T, O> {
    const { patterns, dialect } = this
    const isRenamed = patterns !== undefined || (dialect.wellFormed && entries.some(({ key }) => !key.isWellFormed()))
    if (!isRenamed) return { add: (object, key, part) => this.withEntry(object, key, part) }
    const names = new EntryNames(patterns, dialect.wellFormed)
    return { add: (object, key, part) => this.withEntry(object, names.of(key), part) }
  }

  /** Whether a container that is too deep becomes an empty value, because a limit of attributes applies and not the limit of the stack. */
  private get isBare(): boolean {
    return this.limits.bare && !this.isBody && this.limits.depth <= maxDepthLimit
  }

  private tooDeep(kind: 'Array' | 'Object', size: number): T {
    if (this.isBare) return this.ofNull()
    if (this.limits.bare) this.limits.truncated?.()
    return this.ofString(containerMarker(kind, size))
  }

  /** Returns the marker for a value whose read threw. After a stack overflow, the record counts as cut. */
  private thrown(error: unknown): string {
    if (isStackExhausted(error)) this.limits.truncated?.()
    return thrownMarker(error)
  }

  private truncated(object: O, more: number): O {
    return this.withEntry(object, '[truncated]', this.ofString(`+${more} keys`))
  }
}
