import { plainJson } from '../../encode/walk/dialect.ts'
import { jsonData, plainReading, type JsonReading } from '../../encode/json/json-data.ts'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { holdsAsBytes } from '../../encode/walk/listed-bytes.ts'
import { quote } from '../../encode/json/quote.ts'
import { withoutShownBytes } from '../../encode/shown-bytes.ts'
import { ShapeSettings, type ShapeNode } from '../../encode/walk/shapes.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { mayHoldHeaders } from '../../redact/headers.ts'
import { listState, unionState, type Redaction, type RedactState } from '../../redact/redact.ts'
import { noRules } from '../../encode/walk/walk.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { maskPasswords, mayHoldUrlPassword } from '../../redact/url-password.ts'
import { quickJson, scalarText } from './quick-json.ts'

/** The options that say where a line has what a call gives. */
export interface ValueKeys {
  readonly messageKey: string
  readonly nestedKey: string | null | undefined
}

/** Writes values as pino writes them, redacted. One for each set of rules. */
export class Values {
  /** The shapes of members at the top level of a line. */
  readonly root: ShapeNode
  /** The shapes of a call's members: with `nestedKey` their rules are those of both places, the call's and the line's. */
  readonly members: ShapeNode
  /** The message. */
  readonly message: ShapeNode
  readonly patterns: TextPatterns | undefined
  /** Whether the values of credential headers and the passwords of URLs are redacted. */
  readonly coversHeaders: boolean
  private readonly state: RedactState
  /** The rules at the object of a call. */
  private readonly callState: RedactState
  private readonly shapes: ShapeSettings
  private readonly keys: ValueKeys
  private readonly quick: JsonReading
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
    this.quick = { ...plainReading, hides, masksUrls }
    this.reading = { ...this.quick, depth: limits.depth, breadth: limits.breadth, careful: true, hidesList }
    const { messageKey, nestedKey } = keys
    this.callState = nestedKey ? this.stateBelow(nestedKey) : this.state
    this.walk = this.newWalk()
    const shapes = new ShapeSettings(plainJson, undefined, this.patterns)
    this.shapes = shapes
    this.root = shapes.root(this.state)
    this.members = nestedKey ? shapes.root(this.callState) : this.root
    this.message = shapes.root(this.state).follow(messageKey)
  }

  /** The same with other rules. */
  with(redaction: Redaction | undefined): Values {
    return new Values(redaction, this.keys, this.reading)
  }

  /** The text of a member; undefined where it has none. Never throws. */
  member(value: unknown, node: ShapeNode): string | undefined {
    return this.text(value, node.key, node.state)
  }

  /** A message: what is no text has members that stand where those of a record do. pino calls its `toJSON` without a name. */
  said(message: unknown): string | undefined {
    const { key, state } = this.message
    return this.text(message, key, typeof message === 'object' ? unionState(state, listState(this.state)) : state, '')
  }

  /** The same for a value by itself: its members stand where those of a record do. */
  readonly alone = (value: unknown): string | undefined => this.text(value, '', listState(this.state))

  /** The text of an object by `String`, without the passwords of URLs, and without bytes in which patterns find something. */
  readonly masked = (text: string): string => {
    const masked = this.coversHeaders ? maskPasswords(text) : text
    return this.patterns === undefined ? masked : withoutShownBytes(masked, this.patterns)
  }

  /** `,"key":{…}` of members that were written; '' where a rule leaves them out. */
  object(key: string, members: string): string {
    const state = this.state.step(key)
    const object = `{${members}}`
    const text = state.censor === undefined ? object : this.written(JSON.parse(object), key, state)
    return text === undefined ? '' : `,${quote(key)}:${text}`
  }

  /** The same of members that have another place in the line than the call gave them. Rules for either place hold. */
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

  /** The text of a list by `String` where a rule for its items, or for what they hold, changes it. */
  readonly listed = (list: readonly unknown[]): string | undefined => {
    if (this.state.inert || this.state.findsHeadersOnly) return undefined
    const data = this.read(list, '')
    const redacted = this.written(data, '', listState(this.state))
    if (redacted === undefined || redacted === this.written(data, '', noRules)) return undefined
    return String(JSON.parse(redacted))
  }

  /** A text as it may be said. */
  clean(text: string): string {
    return this.patterns === undefined ? text : this.patterns.redacted(text)
  }

  /** JSON of what is not redacted: for the names of levels, and whoever asks a logger for it. */
  json(value: unknown): string | undefined {
    const text = quickJson(value)
    return text === null ? this.written(this.read(value, ''), '', noRules) : text
  }

  /** `hookKey`: the name that a `toJSON` of the value gets. */
  private text(value: unknown, key: string, state: RedactState, hookKey = key): string | undefined {
    const isFree = state.censor === undefined
    // No switch: it would ask for the name of the type first.
    if (typeof value === 'string') {
      if (isFree) return quote(this.patterns === undefined ? value : this.clean(value))
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      if (isFree && this.patterns === undefined) return scalarText(value)
    } else if (value === undefined || typeof value === 'function') {
      return undefined
    } else if (this.patterns === undefined && (state.inert || state.findsHeadersOnly)) {
      return this.plain(value, key, state, hookKey)
    }
    return this.written(this.read(value, hookKey), key, state)
  }

  /** A value that no rule is about but, perhaps, those for credential headers and URLs. */
  private plain(value: unknown, key: string, state: RedactState, hookKey: string): string | undefined {
    if (state.inert) return this.json(value)
    const text = quickJson(value)
    // In JSON, URL objects are texts like any other, so a value with one is read again.
    const isRead = text === null || (text !== undefined && this.coversHeaders && mayHoldUrlPassword(text))
    if (isRead) return this.written(this.read(value, hookKey), key, state)
    return text === undefined || !mayHoldHeaders(text) ? text : this.written(JSON.parse(text), key, state)
  }

  private newWalk(): JsonWalk {
    return new JsonWalk(this.patterns).within(this.callState)
  }

  private stateBelow(key: string): RedactState {
    return unionState(this.state, this.state.step(key))
  }

  private read(value: unknown, key: string): unknown {
    try {
      return jsonData(value, key, this.quick)
    } catch {
      // A cycle, a BigInt, a stack that was too short, or code of a user that threw.
    }
    try {
      return jsonData(value, key, this.reading)
    } catch {
      return unreadable
    }
  }

  private written(data: unknown, key: string, state: RedactState): string | undefined {
    // A censor may log.
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

/** pino's words for a value of which nothing can be read. */
const unreadable = '[unable to serialize, circular reference is too complex to analyze]'
