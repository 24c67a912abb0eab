import { plainJson } from '../../encode/walk/dialect.ts'
import { jsonData, plainReading, type JsonReading } from '../../encode/json/json-data.ts'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { holdsAsBytes } from '../../encode/walk/listed-bytes.ts'
import { quote } from '../../encode/json/quote.ts'
import { redactListedBytes } from '../../encode/shown-bytes.ts'
import { ShapeSettings, type ShapeNode } from '../../encode/walk/shapes.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { mayHoldHeaders } from '../../redact/headers.ts'
import { listState, unionState, type Redaction, type RedactState } from '../../redact/redact.ts'
import { noRules } from '../../encode/walk/walk.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { maskPasswords, mayHoldUrlPassword } from '../../redact/url-password.ts'
import { quickJson, scalarText } from './quick-json.ts'

/** Options that determine where a line contains the members and the message of a call. */
export interface ValueKeys {
  readonly messageKey: string
  readonly nestedKey: string | null | undefined
}

/** Writes values as pino does, redacted. One instance per set of rules. */
export class Values {
  /** Shapes of the top-level members of a line. */
  readonly root: ShapeNode
  /** Shapes of a call's members. With `nestedKey`, the rules for the paths in the call and in the line both apply. */
  readonly members: ShapeNode
  /** Shape of the message. */
  readonly message: ShapeNode
  readonly patterns: TextPatterns | undefined
  /** Whether credential headers and passwords in URLs are redacted. */
  readonly coversHeaders: boolean
  private readonly state: RedactState
  /** Rules for the object of a call. */
  private readonly callState: RedactState
  private readonly shapes: ShapeSettings
  private readonly keys: ValueKeys
  private readonly fastReading: JsonReading
  private readonly reading: JsonReading
  private readonly walk: JsonWalk
  private busy = false

  constructor(redaction: Redaction | undefined, keys: ValueKeys, limits: Pick<JsonReading, 'depth' | 'breadth'>) {
    this.patterns = redaction?.patterns
    this.coversHeaders = redaction?.credentialHeaders === true
    this.state = redaction?.root ?? noRules
    this.keys = keys
    const hides = this.patterns && ((view: ArrayBufferView) => this.patterns!.findIn(view))
    const masksUrls = this.coversHeaders
    const hidesList = (list: readonly unknown[], read: number): boolean =>
      this.patterns !== undefined && holdsAsBytes(list, list.length, read, this.patterns)
    this.fastReading = { ...plainReading, hasSecret: hides, masksUrls }
    this.reading = {
      ...this.fastReading,
      depth: limits.depth,
      breadth: limits.breadth,
      isLenient: true,
      listHasSecret: hidesList,
    }
    const { messageKey, nestedKey } = keys
    this.callState = nestedKey ? this.stateBelow(nestedKey) : this.state
    this.walk = this.newWalk()
    const shapes = new ShapeSettings(plainJson, undefined, this.patterns)
    this.shapes = shapes
    this.root = shapes.root(this.state)
    this.members = nestedKey ? shapes.root(this.callState) : this.root
    this.message = shapes.root(this.state).follow(messageKey)
  }

  /** Returns an instance with the same options and other rules. */
  with(redaction: Redaction | undefined): Values {
    return new Values(redaction, this.keys, this.reading)
  }

  /** Returns the JSON of a member; undefined if it has none. Never throws. */
  member(value: unknown, node: ShapeNode): string | undefined {
    return this.text(value, node.key, node.state)
  }

  /** Returns the JSON of a message. An object is redacted like a record, and its `toJSON` is called without a name, as in pino. */
  messageText(message: unknown): string | undefined {
    const { key, state } = this.message
    return this.text(message, key, typeof message === 'object' ? unionState(state, listState(this.state)) : state, '')
  }

  /** Returns the JSON of a single value, whose members are redacted like those of a record. */
  readonly alone = (value: unknown): string | undefined => this.text(value, '', listState(this.state))

  /** Redacts URL passwords and matching bytes in the string form of an object. */
  readonly masked = (text: string): string => {
    const masked = this.coversHeaders ? maskPasswords(text) : text
    return this.patterns === undefined ? masked : redactListedBytes(masked, this.patterns)
  }

  /** Returns `,"key":{…}` for rendered members; an empty string if a rule removes them. */
  object(key: string, members: string): string {
    const state = this.state.step(key)
    const object = `{${members}}`
    const text = state.censor === undefined ? object : this.render(JSON.parse(object), key, state)
    return text === undefined ? '' : `,${quote(key)}:${text}`
  }

  /** Returns the same for members that the line nests at another path than the call. Rules for either path apply. */
  moved(key: string, members: readonly (readonly [string, unknown])[]): string {
    let node = this.shapes.root(this.stateBelow(key))
    let text = ''
    for (const [name, value] of members) {
      node = node.follow(name)
      const part = this.member(value, node)
      if (part !== undefined) text += node.next + part
    }
    return text === '' ? '' : this.object(key, text.slice(1))
  }

  /** Returns the string form of a list if a rule changes its items or their members, otherwise undefined. */
  readonly listed = (list: readonly unknown[]): string | undefined => {
    if (this.state.inert || this.state.findsHeadersOnly) return undefined
    const data = this.read(list, '')
    const redacted = this.render(data, '', listState(this.state))
    if (redacted === undefined || redacted === this.render(data, '', noRules)) return undefined
    return String(JSON.parse(redacted))
  }

  /** Returns a text with pattern matches redacted. */
  clean(text: string): string {
    return this.patterns === undefined ? text : this.patterns.redacted(text)
  }

  /** Returns unredacted JSON, for level names and the logger's public stringify function. */
  json(value: unknown): string | undefined {
    const text = quickJson(value)
    return text === null ? this.render(this.read(value, ''), '', noRules) : text
  }

  /** `hookKey` is the argument for a `toJSON` method of the value. */
  private text(value: unknown, key: string, state: RedactState, hookKey = key): string | undefined {
    const isFree = state.censor === undefined
    // if…else is faster than a switch on `typeof`, which first creates the type name.
    if (typeof value === 'string') {
      if (isFree) return quote(this.patterns === undefined ? value : this.clean(value))
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      if (isFree && this.patterns === undefined) return scalarText(value)
    } else if (value === undefined || typeof value === 'function') {
      return undefined
    } else if (this.patterns === undefined && (state.inert || state.findsHeadersOnly)) {
      return this.plain(value, key, state, hookKey)
    }
    return this.render(this.read(value, hookKey), key, state)
  }

  /** Renders a value to which no rules apply except, possibly, those for credential headers and URLs. */
  private plain(value: unknown, key: string, state: RedactState, hookKey: string): string | undefined {
    if (state.inert) return this.json(value)
    const text = quickJson(value)
    // JSON contains URLs as plain strings, so a value that may contain URL passwords is read again.
    const isRead = text === null || (text !== undefined && this.coversHeaders && mayHoldUrlPassword(text))
    if (isRead) return this.render(this.read(value, hookKey), key, state)
    return text === undefined || !mayHoldHeaders(text) ? text : this.render(JSON.parse(text), key, state)
  }

  private newWalk(): JsonWalk {
    return new JsonWalk(this.patterns).within(this.callState)
  }

  private stateBelow(key: string): RedactState {
    return unionState(this.state, this.state.step(key))
  }

  private read(value: unknown, key: string): unknown {
    try {
      return jsonData(value, key, this.fastReading)
    } catch {
      // The value has a cycle or a BigInt, the stack overflowed, or user code threw.
    }
    try {
      return jsonData(value, key, this.reading)
    } catch {
      return unreadable
    }
  }

  private render(data: unknown, key: string, state: RedactState): string | undefined {
    // A censor may log, and a nested call needs its own walk.
    const walk = this.busy ? this.newWalk() : this.walk
    const outer = this.busy
    this.busy = true
    try {
      walk.begin()
      return walk.place(data, state, 1, key)
    } catch (error) {
      return quote(thrownMarker(error))
    } finally {
      this.busy = outer
    }
  }
}

/** pino's marker for a value that cannot be read. */
const unreadable = '[unable to serialize, circular reference is too complex to analyze]'
