import { jsonData, strictReadOptions, type JsonReadOptions } from '../../encode/json/json-data.ts'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { listedBytesMatch } from '../../encode/walk/listed-bytes.ts'
import { functionText } from '../../encode/walk/markers.ts'
import { escapeHighControls, quote } from '../../encode/json/quote.ts'
import { isOnEveryObject } from '../../options/own-members.ts'
import { defaultReplacement } from '../../redact/censor.ts'
import { jsonMayContainHeaders } from '../../redact/headers.ts'
import { hasOnlyHeaderRule, withItemsAsAttributes, type Redaction, type RedactState } from '../../redact/redact.ts'
import { noRules } from '../../encode/walk/walk.ts'
import { isUrl, maskPasswordIfUrlMember, maskUrlPassword, mayHoldUrlPassword } from '../../redact/url-password.ts'
import type { Replacer } from './cycles.ts'
import { uniqueRedactedNames } from './member-names.ts'

/** Functions for values on which `JSON.stringify` throws. */
export interface StringifyFallback {
  /** Creates the replacer of `JSON.stringify` that replaces cycles. */
  readonly createReplacer: () => Replacer
  /** Returns the text that replaces a value whose `toJSON` or getter threw. */
  readonly thrownMarker: (error: unknown) => string
}

/** The nesting depth of a member of a record, with which a walk begins. */
const memberDepth = 1

/** Limits that no intended record reaches; they truncate proxies with endless members. */
const maxContainers = 20_000
const maxDepth = 200

/** Writes values as `JSON.stringify` does, redacted, including values on which it throws. One instance per set of rules. */
export class JsonWriter {
  readonly redaction: Redaction | undefined
  /** Whether at most credential headers and URL passwords are redacted, so that all other values are written unchanged. */
  readonly hasNoCustomRules: boolean
  private readonly root: RedactState
  private readonly fallback: StringifyFallback
  /** Options with which `jsonData` throws for the same values as `JSON.stringify`. This is faster than reading with markers. */
  private readonly fastReadOptions: JsonReadOptions
  private readonly walk: JsonWalk
  /** Returns whether patterns match bytes. It is undefined if there are no patterns. */
  readonly bytesContainSecret: JsonReadOptions['bytesContainSecret']
  /** Returns whether patterns match a list of bytes of which only the first items are read. It is undefined if there are no patterns. */
  private readonly firstItemsContainSecret: JsonReadOptions['firstItemsContainSecret']
  /** Whether passwords in URLs are redacted. */
  readonly masksUrlPasswords: boolean
  private isWalking = false

  constructor(redaction: Redaction | undefined, fallback: StringifyFallback) {
    this.redaction = redaction
    this.hasNoCustomRules = redaction === undefined || hasOnlyHeaderRule(redaction)
    this.root = redaction?.root ?? noRules
    this.fallback = fallback
    const patterns = redaction?.patterns
    this.bytesContainSecret = patterns && ((view) => patterns.matchesBytes(view))
    this.firstItemsContainSecret =
      patterns && ((list, readCount) => listedBytesMatch(list, list.length, readCount, patterns))
    this.masksUrlPasswords = redaction?.redactsCredentialHeaders === true
    this.fastReadOptions = {
      ...strictReadOptions,
      bytesContainSecret: this.bytesContainSecret,
      masksUrlPasswords: this.masksUrlPasswords,
    }
    this.walk = new JsonWalk(patterns).setTopState(this.root)
  }

  /** Returns the JSON of an object whose members are those of a record. Never throws. */
  recordJson(record: object): string {
    const text = this.hasNoCustomRules ? this.stringify(record) : undefined
    if (text !== undefined && !this.mayMatchDefaultRules(text)) return text
    const data = this.dataOf(record, text)
    return typeof data === 'object' && data !== null ? this.renderMembers(data) : '{}'
  }

  /** Returns the JSON of the value of a member of a record; undefined if JSON omits it. Never throws. */
  memberJson(value: unknown, key: string): string | undefined {
    const state = this.stateAt(key)
    if (typeof value === 'string' && this.hasNoCustomRules && state.censor === undefined) return quote(value)
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return undefined
    if (!this.hasNoCustomRules || state.censor !== undefined) return this.render(this.readData(value), key, state)
    const text = this.stringify(value)
    if (text === undefined) return this.render(this.readData(value), key, state)
    // In any other state, the value itself contains header fields. `mayMatchDefaultRules` would not find them: it searches for the name of
    // the member that contains them, which is not in `text`.
    const isSafe = state.hasNoRules || (state.hasOnlyHeaderRule && !this.mayMatchDefaultRules(text))
    return isSafe ? text : this.render(this.dataOf(value, text), key, state)
  }

  /**
   * Returns the redacted form of a message argument; the value itself if there are no rules. Its members are redacted like those of a
   * record, and so are the members of a list's items.
   */
  redactedForm(value: unknown): unknown {
    if (this.redaction === undefined) return value
    // Redact before formatting, which may truncate the text.
    if (typeof value === 'string') return this.redactPatterns(value)
    // Node would print the members or the source of a function.
    if (typeof value === 'function') return this.redactPatterns(functionText(value))
    if (typeof value !== 'object' || value === null) return value
    // Convert to data first: on a revoked proxy, even `Array.isArray` throws.
    const data = this.readData(value)
    if (typeof data !== 'object' || data === null) return typeof data === 'string' ? this.redactPatterns(data) : data
    return JSON.parse(this.render(data, '', withItemsAsAttributes(this.root)) ?? 'null') as unknown
  }

  /** Returns whether JSON may contain credential headers or URL passwords, which are redacted without a configured rule. */
  mayMatchDefaultRules(text: string): boolean {
    return this.redaction !== undefined && (jsonMayContainHeaders(text) || this.mayContainPasswords(text))
  }

  /** Returns whether a text may contain a URL whose password is redacted. */
  mayContainPasswords(text: string): boolean {
    return this.masksUrlPasswords && mayHoldUrlPassword(text)
  }

  /** Returns the rules that apply to a member of a record. */
  stateAt(key: string): RedactState {
    return this.root.hasNoRules ? this.root : this.root.step(key)
  }

  /** Returns a text with pattern matches redacted. */
  redactPatterns(text: string): string {
    const patterns = this.redaction?.patterns
    return patterns === undefined ? text : patterns.redact(text)
  }

  private renderMembers(data: object): string {
    const keys = Object.keys(data)
    const names = uniqueRedactedNames(keys, this.redaction?.patterns)
    let text = ''
    for (const [index, key] of keys.entries()) {
      const part = this.render((data as Record<string, unknown>)[key], key, this.stateAt(key))
      if (part !== undefined) text += `,${quote(names[index]!)}:${part}`
    }
    return `{${text.slice(1)}}`
  }

  /** Returns the JSON of a value without redaction, with cycles replaced; undefined if `JSON.stringify` cannot be used. */
  private stringify(value: unknown): string | undefined {
    // JSON.stringify would call a `toJSON` that was added to Object.prototype.
    if (isOnEveryObject('toJSON')) return undefined
    try {
      return escapeHighControls(JSON.stringify(value))
    } catch {
      // The value has a cycle or a BigInt, the stack overflowed, or user code threw.
    }
    try {
      return escapeHighControls(JSON.stringify(value, this.fallback.createReplacer()))
    } catch {
      return undefined
    }
  }

  /**
   * Returns a value as JSON data: `text`, its JSON, is parsed if it is known. In JSON, URL objects are plain strings, so a value whose JSON
   * may contain URL passwords is read again instead.
   */
  private dataOf(value: unknown, text: string | undefined): unknown {
    return text === undefined || this.mayContainPasswords(text) ? this.readData(value) : (JSON.parse(text) as unknown)
  }

  /** Returns a value as JSON data, as `JSON.stringify` would read it, or with markers if that throws. Never throws. */
  private readData(value: unknown): unknown {
    try {
      return jsonData(value, '', this.fastReadOptions)
    } catch {
      // Same causes as in `stringify`.
    }
    if (!isOnEveryObject('toJSON')) {
      try {
        return JSON.parse(
          JSON.stringify(value, redactingReplacer(this.fallback.createReplacer(), this.fastReadOptions)),
        ) as unknown
      } catch {
        // Read it member by member below.
      }
    }
    const { thrownMarker } = this.fallback
    try {
      const remaining = { containers: maxContainers }
      return jsonData(value, '', {
        depth: maxDepth,
        breadth: maxContainers,
        isLenient: true,
        keepsOrder: true,
        thrownMarker,
        bytesContainSecret: this.bytesContainSecret,
        firstItemsContainSecret: this.firstItemsContainSecret,
        masksUrlPasswords: this.masksUrlPasswords,
        remaining,
      })
    } catch (error) {
      return thrownMarker(error)
    }
  }

  /** Returns the redacted JSON of data; undefined if JSON omits it. Never throws. */
  private render(data: unknown, key: string, state: RedactState): string | undefined {
    // A censor may log, and a nested call needs its own walk.
    const walk = this.isWalking ? new JsonWalk(this.redaction?.patterns).setTopState(this.root) : this.walk
    const wasWalking = this.isWalking
    this.isWalking = true
    try {
      walk.begin()
      return walk.redactedValue(data, state, memberDepth, key)
    } catch (error) {
      return quote(this.fallback.thrownMarker(error))
    } finally {
      this.isWalking = wasWalking
    }
  }
}

/** Returns a replacer that also redacts bytes in which patterns match, and the passwords of URLs. */
function redactingReplacer(
  replacer: Replacer,
  { bytesContainSecret: hasSecret, masksUrlPasswords }: JsonReadOptions,
): Replacer {
  if (hasSecret === undefined && !masksUrlPasswords) return replacer
  return function (this: unknown, key, value) {
    const original = (this as Record<string, unknown>)[key]
    if (hasSecret !== undefined && ArrayBuffer.isView(original) && hasSecret(original)) return defaultReplacement
    const replaced = replacer.call(this, key, value)
    if (!masksUrlPasswords || typeof replaced !== 'string') return replaced
    return isUrl(original)
      ? maskUrlPassword(replaced)
      : maskPasswordIfUrlMember(key, replaced, Object.keys(this as object))
  }
}
