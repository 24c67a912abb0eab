import { plainJson } from '../../encode/walk/dialect.ts'
import { jsonData, strictReadOptions, type JsonReadOptions } from '../../encode/json/json-data.ts'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { listedBytesMatch } from '../../encode/walk/listed-bytes.ts'
import { quote } from '../../encode/json/quote.ts'
import { redactListedBytes } from '../../encode/redact-listed-bytes.ts'
import { ShapeSettings, type ShapeNode } from '../../encode/walk/shapes.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { jsonMayContainHeaders } from '../../redact/headers.ts'
import { withItemsAsAttributes, mergeStates, type Redaction, type RedactState } from '../../redact/redact.ts'
import { noRules } from '../../encode/walk/walk.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { maskUrlPasswords, mayHoldUrlPassword } from '../../redact/url-password.ts'
import { unusedName } from '../shared/unused-name.ts'
import { quickJson, scalarJson } from './quick-json.ts'

/** Options that determine where a line contains the members and the message of a call. */
export interface LineKeys {
  readonly messageKey: string
  readonly nestedKey: string | null | undefined
}

/** Converts values to JSON as pino does, redacted. One instance per set of rules. */
export class ValueWriter {
  /** Shapes of the top-level members of a line. */
  readonly lineShapes: ShapeNode
  /** Shapes of the logged object's members. With `nestedKey`, the rules for the paths in the call and in the line both apply. */
  readonly callShapes: ShapeNode
  /** Shape of the message. */
  readonly messageShape: ShapeNode
  readonly patterns: TextPatterns | undefined
  /** Whether credential headers and passwords in URLs are redacted. */
  readonly redactsCredentials: boolean
  /** Rules for the top-level members of a line. */
  private readonly lineState: RedactState
  /** Rules for the members of the logged object. */
  private readonly callState: RedactState
  private readonly shapes: ShapeSettings
  private readonly keys: LineKeys
  /** How values are read that `JSON.stringify` can serialize: without limits, and a cycle or a BigInt throws. */
  private readonly fastReadOptions: JsonReadOptions
  /** How values are read for which `fastReadOptions` throws: with limits, and with markers instead of cycles and errors. */
  private readonly lenientReadOptions: JsonReadOptions
  private readonly walk: JsonWalk
  private isWalking = false

  constructor(redaction: Redaction | undefined, keys: LineKeys, limits: Pick<JsonReadOptions, 'depth' | 'breadth'>) {
    this.patterns = redaction?.patterns
    this.redactsCredentials = redaction?.redactsCredentialHeaders === true
    this.lineState = redaction?.root ?? noRules
    this.keys = keys
    const bytesContainSecret = this.patterns && ((view: ArrayBufferView) => this.patterns!.matchesBytes(view))
    const masksUrlPasswords = this.redactsCredentials
    const firstItemsContainSecret = (list: readonly unknown[], readCount: number): boolean =>
      this.patterns !== undefined && listedBytesMatch(list, list.length, readCount, this.patterns)
    this.fastReadOptions = { ...strictReadOptions, bytesContainSecret, masksUrlPasswords }
    this.lenientReadOptions = {
      ...this.fastReadOptions,
      depth: limits.depth,
      breadth: limits.breadth,
      isLenient: true,
      firstItemsContainSecret,
    }
    const { messageKey, nestedKey } = keys
    this.callState = nestedKey ? this.stateBelow(nestedKey) : this.lineState
    this.walk = this.newWalk()
    const shapes = new ShapeSettings(plainJson, undefined, this.patterns)
    this.shapes = shapes
    this.lineShapes = shapes.createRoot(this.lineState)
    this.callShapes = nestedKey ? shapes.createRoot(this.callState) : this.lineShapes
    this.messageShape = shapes.createRoot(this.lineState).follow(messageKey)
  }

  /** Returns an instance with the same options and other rules. */
  with(redaction: Redaction | undefined): ValueWriter {
    return new ValueWriter(redaction, this.keys, this.lenientReadOptions)
  }

  /** Returns the JSON of a member; undefined if it has none, or a rule removes it. Never throws. */
  memberJson(value: unknown, node: ShapeNode): string | undefined {
    return this.valueJson(value, node.key, node.redactState)
  }

  /** Returns the JSON of a message. An object is redacted like a record, and its `toJSON` is called with an empty key, as in pino. */
  messageJson(message: unknown): string | undefined {
    const { key, redactState: state } = this.messageShape
    return this.valueJson(
      message,
      key,
      typeof message === 'object' ? mergeStates(state, withItemsAsAttributes(this.lineState)) : state,
      '',
    )
  }

  /** Returns the JSON of a value that is inserted into a message. Its members are redacted like those of a record. */
  readonly redactedJson = (value: unknown): string | undefined =>
    this.valueJson(value, '', withItemsAsAttributes(this.lineState))

  /** Redacts URL passwords and matching bytes in the string form of an object. */
  readonly redactObjectText = (text: string): string => {
    const masked = this.redactsCredentials ? maskUrlPasswords(text) : text
    return this.patterns === undefined ? masked : redactListedBytes(masked, this.patterns)
  }

  /** Returns `,"key":{…}` for rendered members; an empty string if a rule removes them. */
  objectMember(key: string, members: string): string {
    const state = this.lineState.step(key)
    const object = `{${members}}`
    const text = state.censor === undefined ? object : this.render(JSON.parse(object), key, state)
    return text === undefined ? '' : `,${quote(key)}:${text}`
  }

  /**
   * Returns the name of the member that contains the members with reserved names: `attributes`, with underscores in front if the line has
   * this name already.
   */
  nestingName(isTaken: (name: string) => boolean = () => false): string {
    const { messageKey, nestedKey } = this.keys
    return unusedName('attributes', (name) => name === messageKey || name === nestedKey || isTaken(name))
  }

  /**
   * Renders members of a call or of bindings as members of an object `key` in the line, with a leading comma; an empty string if none has
   * JSON. The rules for their paths in the call and in the line both apply.
   */
  nestedMembers(key: string, members: readonly (readonly [string, unknown])[]): string {
    let node = this.shapes.createRoot(this.stateBelow(key))
    let text = ''
    for (const [name, value] of members) {
      node = node.follow(name)
      const part = this.memberJson(value, node)
      if (part !== undefined) text += node.nextPrefix + part
    }
    return text === '' ? '' : this.objectMember(key, text.slice(1))
  }

  /** Returns the string form of a list if a rule changes its items or their members, otherwise undefined. */
  readonly redactedListText = (list: readonly unknown[]): string | undefined => {
    if (this.lineState.hasNoRules || this.lineState.hasOnlyHeaderRule) return undefined
    const data = this.read(list, '')
    const redacted = this.render(data, '', withItemsAsAttributes(this.lineState))
    if (redacted === undefined || redacted === this.render(data, '', noRules)) return undefined
    return String(JSON.parse(redacted))
  }

  /** Returns a text with pattern matches redacted. */
  redactPatterns(text: string): string {
    return this.patterns === undefined ? text : this.patterns.redact(text)
  }

  /** Returns unredacted JSON, for values without rules and for the member `pino.stringify` of loggers; undefined if the value has none. */
  unredactedJson(value: unknown): string | undefined {
    const text = quickJson(value)
    return text === null ? this.render(this.read(value, ''), '', noRules) : text
  }

  /**
   * Returns the redacted JSON of a value; undefined if it has none, or a rule removes it.
   *
   * @param toJsonKey - the argument for the value's `toJSON` method
   */
  private valueJson(value: unknown, key: string, state: RedactState, toJsonKey = key): string | undefined {
    const isUncensored = state.censor === undefined
    // if…else is faster than a switch on `typeof`, which first creates the type name.
    if (typeof value === 'string') {
      if (isUncensored) return quote(this.patterns === undefined ? value : this.redactPatterns(value))
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      if (isUncensored && this.patterns === undefined) return scalarJson(value)
    } else if (value === undefined || typeof value === 'function') {
      return undefined
    } else if (this.patterns === undefined && (state.hasNoRules || state.hasOnlyHeaderRule)) {
      return this.jsonWithoutCustomRules(value, key, state, toJsonKey)
    }
    return this.render(this.read(value, toJsonKey), key, state)
  }

  /** Returns the JSON of a value to which no rules apply except, possibly, those for credential headers and passwords in URLs. */
  private jsonWithoutCustomRules(
    value: unknown,
    key: string,
    state: RedactState,
    toJsonKey: string,
  ): string | undefined {
    if (state.hasNoRules) return this.unredactedJson(value)
    const text = quickJson(value)
    // JSON contains URLs as plain strings, so a value that may contain URL passwords is read again.
    const mustRead = text === null || (text !== undefined && this.redactsCredentials && mayHoldUrlPassword(text))
    if (mustRead) return this.render(this.read(value, toJsonKey), key, state)
    return text === undefined || !jsonMayContainHeaders(text) ? text : this.render(JSON.parse(text), key, state)
  }

  private newWalk(): JsonWalk {
    return new JsonWalk(this.patterns).setTopState(this.callState)
  }

  /** Returns the rules for members that are top-level in the call, but nested below `key` in the line: those for both of these paths. */
  private stateBelow(key: string): RedactState {
    return mergeStates(this.lineState, this.lineState.step(key))
  }

  /** Returns a value as data that rules can be applied to. Never throws. */
  private read(value: unknown, key: string): unknown {
    try {
      return jsonData(value, key, this.fastReadOptions)
    } catch {
      // The value has a cycle or a BigInt, the stack overflowed, or user code threw.
    }
    try {
      return jsonData(value, key, this.lenientReadOptions)
    } catch {
      return unreadableMarker
    }
  }

  /** Returns data as JSON, redacted; undefined if it has none, or a rule removes it. Never throws. */
  private render(data: unknown, key: string, state: RedactState): string | undefined {
    // A censor may log, and a nested call needs its own walk.
    const walk = this.isWalking ? this.newWalk() : this.walk
    const outer = this.isWalking
    this.isWalking = true
    try {
      walk.begin()
      return walk.redactedValue(data, state, memberDepth, key)
    } catch (error) {
      return quote(thrownMarker(error))
    } finally {
      this.isWalking = outer
    }
  }
}

/** The nesting depth of a member of a record, with which a walk begins. */
const memberDepth = 1

/** pino's marker for a value that cannot be read. */
const unreadableMarker = '[unable to serialize, circular reference is too complex to analyze]'
