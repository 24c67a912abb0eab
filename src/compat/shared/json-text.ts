import { jsonData, plainReading, type JsonReading } from '../../encode/json/json-data.ts'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { holdsAsBytes } from '../../encode/walk/listed-bytes.ts'
import { functionText } from '../../encode/walk/markers.ts'
import { escapedJson, quote } from '../../encode/json/quote.ts'
import { isOnEveryObject } from '../../options/own-members.ts'
import { redacted } from '../../redact/censor.ts'
import { mayHoldHeaders } from '../../redact/headers.ts'
import { isHeadersOnly, listState, type Redaction, type RedactState } from '../../redact/redact.ts'
import { noRules } from '../../encode/walk/walk.ts'
import { isUrl, maskMember, maskPassword, mayHoldUrlPassword } from '../../redact/url-password.ts'
import type { Replacer } from './cycles.ts'
import { memberNames } from './member-names.ts'

/** How values are written that `JSON.stringify` throws at. */
export interface Otherwise {
  /** Marks cycles. */
  readonly cycles: () => Replacer
  /** Returns what is written in place of a value that throws. */
  readonly thrownMarker: (error: unknown) => string
}

/** More than a record that is meant has: what a proxy without an end has is cut. */
const mostContainers = 20_000
const mostDepth = 200

/** Writes values as `JSON.stringify` does, redacted, and also those at which it throws. One for each set of rules. */
export class JsonText {
  readonly redaction: Redaction | undefined
  /** What holds no credential headers and no URLs with passwords is written as it is: there are no rules, or none but those for these. */
  readonly isPlain: boolean
  private readonly root: RedactState
  private readonly otherwise: Otherwise
  private readonly quick: JsonReading
  private readonly walk: JsonWalk
  /** Whether bytes hold what patterns find; undefined where there are none. */
  readonly hides: JsonReading['hides']
  private readonly hidesList: JsonReading['hidesList']
  /** Whether the passwords of URLs are redacted. */
  readonly masksUrls: boolean
  private busy = false

  constructor(redaction: Redaction | undefined, otherwise: Otherwise) {
    this.redaction = redaction
    this.isPlain = redaction === undefined || isHeadersOnly(redaction)
    this.root = redaction?.root ?? noRules
    this.otherwise = otherwise
    const patterns = redaction?.patterns
    this.hides = patterns && ((view) => patterns.findIn(view))
    this.hidesList = patterns && ((list, read) => holdsAsBytes(list, list.length, read, patterns))
    this.masksUrls = redaction?.credentialHeaders === true
    this.quick = { ...plainReading, hides: this.hides, masksUrls: this.masksUrls }
    this.walk = new JsonWalk(patterns).within(this.root)
  }

  /** An object, whose members stand where those of a record do. Never throws. */
  record(record: object): string {
    const text = this.isPlain ? this.plain(record) : undefined
    if (text !== undefined && !this.holdsSecrets(text)) return text
    const data = this.dataOf(record, text)
    return typeof data === 'object' && data !== null ? this.members(data) : '{}'
  }

  /** A member of a record by itself; undefined where it has no text. Never throws. */
  member(value: unknown, key: string): string | undefined {
    const state = this.stateAt(key)
    if (typeof value === 'string' && this.isPlain && state.censor === undefined) return quote(value)
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return undefined
    if (!this.isPlain || state.censor !== undefined) return this.written(this.data(value), key, state)
    const text = this.plain(value)
    if (text === undefined) return this.written(this.data(value), key, state)
    // A state in which more can match is that of a member that holds headers.
    const isSafe = state.inert || (state.findsHeadersOnly && !this.holdsSecrets(text))
    return isSafe ? text : this.written(this.dataOf(value, text), key, state)
  }

  /**
   * What an argument of a message shows: itself where there are no rules, else redacted data. Its members are redacted as those
   * of a record are, and so are those of a list's items.
   */
  shown(value: unknown): unknown {
    if (this.redaction === undefined) return value
    // What inserts it may cut it.
    if (typeof value === 'string') return this.clean(value)
    // Node would show its members, or its source.
    if (typeof value === 'function') return this.clean(functionText(value))
    if (typeof value !== 'object' || value === null) return value
    // Data asks nothing: a proxy does not even say whether it is an array.
    const data = this.data(value)
    if (typeof data !== 'object' || data === null) return typeof data === 'string' ? this.clean(data) : data
    return JSON.parse(this.written(data, '', listState(this.root)) ?? 'null') as unknown
  }

  /** Whether JSON can hold credential headers, or passwords of URLs, that are redacted without a rule. */
  holdsSecrets(text: string): boolean {
    return this.redaction !== undefined && (mayHoldHeaders(text) || this.holdsPasswords(text))
  }

  /** Whether a text can hold a URL whose password is redacted. */
  holdsPasswords(text: string): boolean {
    return this.masksUrls && mayHoldUrlPassword(text)
  }

  /** The rules at a member of a record. */
  stateAt(key: string): RedactState {
    return this.root.inert ? this.root : this.root.step(key)
  }

  /** A text as it may be said. */
  clean(text: string): string {
    const patterns = this.redaction?.patterns
    return patterns === undefined ? text : patterns.redacted(text)
  }

  private members(data: object): string {
    const keys = Object.keys(data)
    const names = memberNames(keys, this.redaction?.patterns)
    let text = ''
    for (const [index, key] of keys.entries()) {
      const part = this.written((data as Record<string, unknown>)[key], key, this.stateAt(key))
      if (part !== undefined) text += `,${quote(names[index]!)}:${part}`
    }
    return `{${text.slice(1)}}`
  }

  private plain(value: unknown): string | undefined {
    // JSON.stringify would call a `toJSON` of Object.prototype.
    if (isOnEveryObject('toJSON')) return undefined
    try {
      return escapedJson(JSON.stringify(value))
    } catch {
      // A cycle, a BigInt, a stack that was too short, or code of a user that threw.
    }
    try {
      return escapedJson(JSON.stringify(value, this.otherwise.cycles()))
    } catch {
      return undefined
    }
  }

  /** A value as data. `text` is its JSON, where there is one: in it, URL objects are texts like any other, so these are read again. */
  private dataOf(value: unknown, text: string | undefined): unknown {
    return text === undefined || this.holdsPasswords(text) ? this.data(value) : (JSON.parse(text) as unknown)
  }

  private data(value: unknown): unknown {
    try {
      return jsonData(value, '', this.quick)
    } catch {
      // as above
    }
    if (!isOnEveryObject('toJSON')) {
      try {
        return JSON.parse(JSON.stringify(value, redacting(this.otherwise.cycles(), this.quick))) as unknown
      } catch {
        // once more, with care
      }
    }
    const { thrownMarker: threw } = this.otherwise
    try {
      const room = { containers: mostContainers }
      return jsonData(value, '', {
        depth: mostDepth,
        breadth: mostContainers,
        careful: true,
        inOrder: true,
        thrownMarker: threw,
        hides: this.hides,
        hidesList: this.hidesList,
        masksUrls: this.masksUrls,
        room,
      })
    } catch (error) {
      return threw(error)
    }
  }

  private written(data: unknown, key: string, state: RedactState): string | undefined {
    // A censor may log.
    const walk = this.busy ? new JsonWalk(this.redaction?.patterns).within(this.root) : this.walk
    const outer = this.busy
    this.busy = true
    try {
      walk.begin()
      return walk.place(data, state, 1, key)
    } catch (error) {
      return quote(this.otherwise.thrownMarker(error))
    } finally {
      this.busy = outer
    }
  }
}

/** A replacer that also redacts bytes in which patterns find something, and the passwords of URLs. */
function redacting(replacer: Replacer, { hides, masksUrls }: JsonReading): Replacer {
  if (hides === undefined && !masksUrls) return replacer
  return function (this: unknown, key, value) {
    const original = (this as Record<string, unknown>)[key]
    if (hides !== undefined && ArrayBuffer.isView(original) && hides(original)) return redacted
    const shown = replacer.call(this, key, value)
    if (!masksUrls || typeof shown !== 'string') return shown
    return isUrl(original) ? maskPassword(shown) : maskMember(key, shown, Object.keys(this as object))
  }
}
