import { quote } from '../encode/json/quote.ts'
import { defaultReplacement } from '../redact/censor.ts'
import type { Redaction, RedactState } from '../redact/redact.ts'

/** Values that are nested deeper are redacted as a whole. */
const maxDepth = 128
/** The maximum nesting of JSON in strings of JSON that is searched. Each level doubles the backslashes. */
const maxNestedTexts = 4

/**
 * Redacts text that contains JSON, such as a line with a prefix: the values of redacted names, and pattern matches in strings, names and
 * numbers. Strings are searched without their escapes, so that an escape cannot hide a match, and JSON in them too. All other text stays
 * unchanged, also if the JSON is invalid or cut.
 */
export class JsonTextRedactor {
  private readonly redaction: Redaction
  private text = ''
  private position = 0

  constructor(redaction: Redaction) {
    this.redaction = redaction
  }

  /** Returns the text with secrets redacted. */
  redact(text: string): string {
    return this.redactNested(text, 0)
  }

  private redactNested(text: string, nesting: number): string {
    return this.matchesRedacted(text.includes('{') ? this.redactObjects(text, nesting) : text)
  }

  /** Redacts each JSON object in a text. */
  private redactObjects(text: string, nesting: number): string {
    const outer = { text: this.text, position: this.position }
    this.text = text
    let result = ''
    let copied = 0
    for (let open = text.indexOf('{'); open >= 0; open = text.indexOf('{', this.position)) {
      this.position = open
      const object = objectStart.test(text.slice(open, open + 32)) ? this.value(this.redaction.root, nesting, 0) : '{'
      result += text.slice(copied, open) + object
      this.position = Math.max(this.position, open + 1)
      copied = this.position
    }
    result += text.slice(copied)
    this.text = outer.text
    this.position = outer.position
    return result
  }

  /** Reads a value and returns it redacted, with the space before it. */
  private value(state: RedactState, nesting: number, depth: number): string {
    const space = this.readSpace()
    const first = this.text[this.position]
    if (depth > maxDepth && (first === '{' || first === '[')) {
      this.skipValue()
      return `${space}"${defaultReplacement}"`
    }
    if (first === '{') return space + this.object(state, nesting, depth)
    if (first === '[') return space + this.array(state, nesting, depth)
    if (first === '"') return space + this.string(nesting)
    return space + this.scalar()
  }

  private object(state: RedactState, nesting: number, depth: number): string {
    // In OTLP, an attribute is an object with the members `key` and `value`.
    const otlpKey = this.otlpKey()
    let result = this.take()
    for (;;) {
      result += this.readSpace()
      const next = this.text[this.position]
      if (next === '}') return result + this.take()
      if (next === ',') result += this.take()
      else if (next === '"') result += this.member(state, otlpKey, nesting, depth)
      else return result
    }
  }

  private member(state: RedactState, otlpKey: string | undefined, nesting: number, depth: number): string {
    const literal = this.readString()
    const name = decode(literal) ?? literal
    let result = this.redactedLiteral(literal, nesting) + this.readSpace()
    if (this.text[this.position] !== ':') return result
    result += this.take() + this.readSpace()
    const isOtlpValue = name === 'value' && otlpKey !== undefined
    const memberState = state.step(isOtlpValue ? otlpKey : name)
    const start = this.position
    if (memberState.censor === undefined) return result + this.value(memberState, nesting, depth + 1)
    this.skipValue()
    // Null reveals nothing.
    if (this.text.startsWith('null', start)) return result + this.text.slice(start, this.position)
    const isAnyValue = isOtlpValue && this.text[start] === '{'
    return result + (isAnyValue ? `{"stringValue":"${defaultReplacement}"}` : `"${defaultReplacement}"`)
  }

  /** Returns the string in the member `key` of the object at the position, if it is the first of several members. */
  private otlpKey(): string | undefined {
    otlpAttribute.lastIndex = this.position
    const literal = otlpAttribute.exec(this.text)?.[1]
    return literal === undefined ? undefined : decode(literal)
  }

  private array(state: RedactState, nesting: number, depth: number): string {
    let result = this.take()
    for (let index = 0; ; index++) {
      result += this.readSpace()
      const next = this.text[this.position]
      if (next === ']') return result + this.take()
      if (next === ',') result += this.take()
      else {
        const start = this.position
        result += this.value(state.itemState ?? state.step(String(index)), nesting, depth + 1)
        if (this.position === start) return result
      }
    }
  }

  private string(nesting: number): string {
    return this.redactedLiteral(this.readString(), nesting)
  }

  private redactedLiteral(literal: string, nesting: number): string {
    const decoded = decode(literal)
    if (decoded === undefined) return literal
    const redacted = nesting < maxNestedTexts ? this.redactNested(decoded, nesting + 1) : this.matchesRedacted(decoded)
    return redacted === decoded ? literal : quote(redacted)
  }

  /** Reads a number or a word. */
  private scalar(): string {
    const start = this.position
    scalar.lastIndex = start
    this.position += scalar.exec(this.text)?.[0].length ?? 0
    const text = this.text.slice(start, this.position)
    const redacted = this.matchesRedacted(text)
    return redacted === text ? text : quote(redacted)
  }

  private skipValue(): void {
    let depth = 0
    for (;;) {
      this.readSpace()
      const next = this.text[this.position]
      if (next === undefined) return
      if (next === '"') this.readString()
      else if (next === '{' || next === '[') {
        depth++
        this.position++
        continue
      } else if (next === '}' || next === ']') {
        if (depth === 0) return
        depth--
        this.position++
      } else if (next === ',' || next === ':') {
        if (depth === 0) return
        this.position++
        continue
      } else {
        scalar.lastIndex = this.position
        this.position += Math.max(1, scalar.exec(this.text)?.[0].length ?? 0)
      }
      if (depth === 0) return
    }
  }

  /** Reads a string literal; without its closing quote if the text is cut. */
  private readString(): string {
    const start = this.position
    for (let end = this.text.indexOf('"', start + 1); end >= 0; end = this.text.indexOf('"', end + 1)) {
      let backslashes = 0
      while (this.text[end - 1 - backslashes] === '\\') backslashes++
      if (backslashes % 2 === 1) continue
      this.position = end + 1
      return this.text.slice(start, end + 1)
    }
    this.position = this.text.length
    return this.text.slice(start)
  }

  private readSpace(): string {
    const start = this.position
    for (let code = this.text.charCodeAt(start); code === 32 || (code >= 9 && code <= 13);)
      code = this.text.charCodeAt(++this.position)
    return this.position === start ? '' : this.text.slice(start, this.position)
  }

  private take(): string {
    return this.text[this.position++] ?? ''
  }

  private matchesRedacted(text: string): string {
    return this.redaction.patterns?.redact(text) ?? text
  }
}

/** An object with a first member, or without members. */
const objectStart = /^\{\s*["}]/
/** The first member `key` of an attribute in OTLP, followed by a second member. */
const otlpAttribute = /\{\s*"key"\s*:\s*("(?:[^"\\]|\\.){0,256}")\s*,/y
const scalar = /[^\s,:{}[\]"]*/y

function decode(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}
