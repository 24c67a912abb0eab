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

/** How values are written on which `JSON.stringify` throws. */
export interface FallbackTexts {
  /** Returns a replacer that marks cycles. */
  readonly cycles: () => Replacer
  /** Returns the text that replaces a value that throws. */
  readonly thrownMarker: (error: unknown) => string
}

/** Limits that no intended record reaches; they truncate proxies with endless members. */
const maxContainers = 20_000
const maxDepth = 200

/** Writes values as `JSON.stringify` does, redacted, including values on which it throws. One instance per set of rules. */
export class JsonText {
  readonly redaction: Redaction | undefined
  /** Whether at most credential headers and URL passwords are redacted, so that all other values are written unchanged. */
  readonly hasNoCustomRules: boolean
  private readonly root: RedactState
  private readonly fallback: FallbackTexts
  private readonly fastReading: JsonReading
  private readonly walk: JsonWalk
  /** Returns whether patterns match bytes; undefined if there are no patterns. */
  readonly hides: JsonReading['hasSecret']
  private readonly hidesList: JsonReading['listHasSecret']
  /** Whether passwords in URLs are redacted. */
  readonly masksUrls: boolean
  private busy = false

  constructor(redaction: Redaction | undefined, fallback: FallbackTexts) {
    this.redaction = redaction
    this.hasNoCustomRules = redaction === undefined || isHeadersOnly(redaction)
    this.root = redaction?.root ?? noRules
    this.fallback = fallback
    const patterns = redaction?.patterns
    this.hides = patterns && ((view) => patterns.findIn(view))
    this.hidesList = patterns && ((list, read) => holdsAsBytes(list, list.length, read, patterns))
    this.masksUrls = redaction?.credentialHeaders === true
    this.fastReading = { ...plainReading, hasSecret: this.hides, masksUrls: this.masksUrls }
    this.walk = new JsonWalk(patterns).within(this.root)
  }

  /** Returns the JSON of an object whose members are those of a record. Never throws. */
  record(record: object): string {
    const text = this.hasNoCustomRules ? this.plain(record) : undefined
    if (text !== undefined && !this.holdsSecrets(text)) return text
    const data = this.dataOf(record, text)
    return typeof data === 'object' && data !== null ? this.members(data) : '{}'
  }

  /** Returns the JSON of a single member of a record; undefined if it has none. Never throws. */
  member(value: unknown, key: string): string | undefined {
    const state = this.stateAt(key)
    if (typeof value === 'string' && this.hasNoCustomRules && state.censor === undefined) return quote(value)
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return undefined
    if (!this.hasNoCustomRules || state.censor !== undefined) return this.render(this.data(value), key, state)
    const text = this.plain(value)
    if (text === undefined) return this.render(this.data(value), key, state)
    // In any other state the member contains headers, so more names match.
    const isSafe = state.inert || (state.findsHeadersOnly && !this.holdsSecrets(text))
    return isSafe ? text : this.render(this.dataOf(value, text), key, state)
  }

  /**
   * Returns the redacted form of a message argument; the value itself if there are no rules. Its members are redacted like those of a
   * record, and so are the members of a list's items.
   */
  redactedForm(value: unknown): unknown {
    if (this.redaction === undefined) return value
    // Redact before formatting, which may truncate the text.
    if (typeof value === 'string') return this.clean(value)
    // Node would print the members or the source of a function.
    if (typeof value === 'function') return this.clean(functionText(value))
    if (typeof value !== 'object' || value === null) return value
    // Convert to data first: on a revoked proxy, even `Array.isArray` throws.
    const data = this.data(value)
    if (typeof data !== 'object' || data === null) return typeof data === 'string' ? this.clean(data) : data
    return JSON.parse(this.render(data, '', listState(this.root)) ?? 'null') as unknown
  }

  /** Returns whether JSON may contain credential headers or URL passwords, which are redacted without a configured rule. */
  holdsSecrets(text: string): boolean {
    return this.redaction !== undefined && (mayHoldHeaders(text) || this.holdsPasswords(text))
  }

  /** Returns whether a text may contain a URL whose password is redacted. */
  holdsPasswords(text: string): boolean {
    return this.masksUrls && mayHoldUrlPassword(text)
  }

  /** Returns the rules that apply to a member of a record. */
  stateAt(key: string): RedactState {
    return this.root.inert ? this.root : this.root.step(key)
  }

  /** Returns a text with pattern matches redacted. */
  clean(text: string): string {
    const patterns = this.redaction?.patterns
    return patterns === undefined ? text : patterns.redacted(text)
  }

  private members(data: object): string {
    const keys = Object.keys(data)
    const names = memberNames(keys, this.redaction?.patterns)
    let text = ''
    for (const [index, key] of keys.entries()) {
      const part = this.render((data as Record<string, unknown>)[key], key, this.stateAt(key))
      if (part !== undefined) text += `,${quote(names[index]!)}:${part}`
    }
    return `{${text.slice(1)}}`
  }

  private plain(value: unknown): string | undefined {
    // JSON.stringify would call a `toJSON` that was added to Object.prototype.
    if (isOnEveryObject('toJSON')) return undefined
    try {
      return escapedJson(JSON.stringify(value))
    } catch {
      // The value has a cycle or a BigInt, the stack overflowed, or user code threw.
    }
    try {
      return escapedJson(JSON.stringify(value, this.fallback.cycles()))
    } catch {
      return undefined
    }
  }

  /** Returns a value as data. `text` is its JSON, if any. URLs are plain strings in it, so values with URL passwords are read again. */
  private dataOf(value: unknown, text: string | undefined): unknown {
    return text === undefined || this.holdsPasswords(text) ? this.data(value) : (JSON.parse(text) as unknown)
  }

  private data(value: unknown): unknown {
    try {
      return jsonData(value, '', this.fastReading)
    } catch {
      // Same causes as in `plain`.
    }
    if (!isOnEveryObject('toJSON')) {
      try {
        return JSON.parse(JSON.stringify(value, redacting(this.fallback.cycles(), this.fastReading))) as unknown
      } catch {
        // Read it member by member below.
      }
    }
    const { thrownMarker } = this.fallback
    try {
      const room = { containers: maxContainers }
      return jsonData(value, '', {
        depth: maxDepth,
        breadth: maxContainers,
        isLenient: true,
        inOrder: true,
        thrownMarker,
        hasSecret: this.hides,
        listHasSecret: this.hidesList,
        masksUrls: this.masksUrls,
        room,
      })
    } catch (error) {
      return thrownMarker(error)
    }
  }

  private render(data: unknown, key: string, state: RedactState): string | undefined {
    // A censor may log, and a nested call needs its own walk.
    const walk = this.busy ? new JsonWalk(this.redaction?.patterns).within(this.root) : this.walk
    const outer = this.busy
    this.busy = true
    try {
      walk.begin()
      return walk.place(data, state, 1, key)
    } catch (error) {
      return quote(this.fallback.thrownMarker(error))
    } finally {
      this.busy = outer
    }
  }
}

/** Returns a replacer that also redacts bytes in which patterns match, and the passwords of URLs. */
function redacting(replacer: Replacer, { hasSecret, masksUrls }: JsonReading): Replacer {
  if (hasSecret === undefined && !masksUrls) return replacer
  return function (this: unknown, key, value) {
    const original = (this as Record<string, unknown>)[key]
    if (hasSecret !== undefined && ArrayBuffer.isView(original) && hasSecret(original)) return redacted
    const shown = replacer.call(this, key, value)
    if (!masksUrls || typeof shown !== 'string') return shown
    return isUrl(original) ? maskPassword(shown) : maskMember(key, shown, Object.keys(this as object))
  }
}
