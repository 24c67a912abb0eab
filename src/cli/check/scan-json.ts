/** The result of scanning a JSON value. */
export interface JsonScan {
  /** The end of the value, or the position of the error. */
  readonly end: number
  /** Why the text is not a JSON value; undefined if it is one. */
  readonly error: 'ends too early' | 'has an unexpected character' | undefined
  /** The first key that occurs twice in one object; undefined if all keys are unique. */
  readonly duplicate: { readonly key: string; readonly position: number } | undefined
}

/**
 * Scans the JSON value at the start of a text, nested to any depth, with the grammar of `JSON.parse` (RFC 8259). Text after the value is
 * not read.
 */
export function scanJson(text: string): JsonScan {
  return new JsonScanner(text).scan()
}

/** An object whose keys are collected, or an array. */
type Container = Set<string> | 'array'

class JsonScanner {
  private readonly text: string
  private position = 0
  private duplicate: JsonScan['duplicate']

  constructor(text: string) {
    this.text = text
  }

  scan(): JsonScan {
    const isComplete = this.scanValue()
    const end = this.position
    const error = isComplete ? undefined : end >= this.text.length ? 'ends too early' : 'has an unexpected character'
    return { end, error, duplicate: this.duplicate }
  }

  /** Scans a value, and returns whether it is valid and complete. If not, the position is that of the error. */
  private scanValue(): boolean {
    const containers: Container[] = []
    for (;;) {
      this.skipWhitespace()
      const character = this.text.charAt(this.position)
      if (character === '{' || character === '[') {
        this.position++
        this.skipWhitespace()
        const container: Container = character === '{' ? new Set<string>() : 'array'
        if (this.text.charAt(this.position) === closingOf(container)) this.position++
        else {
          containers.push(container)
          if (container !== 'array' && !this.scanKey(container)) return false
          continue
        }
      } else if (!this.scanScalar(character)) return false
      // The value that has ended can be the last one of the containers around it.
      for (;;) {
        const container = containers.at(-1)
        if (container === undefined) return true
        this.skipWhitespace()
        const next = this.text.charAt(this.position)
        if (next !== ',' && next !== closingOf(container)) return false
        this.position++
        if (next === ',') {
          if (container !== 'array' && !this.scanKey(container)) return false
          break
        }
        containers.pop()
      }
    }
  }

  private scanKey(keys: Set<string>): boolean {
    this.skipWhitespace()
    const start = this.position
    if (this.text.charAt(start) !== '"' || !this.scanString()) return false
    const key = JSON.parse(this.text.slice(start, this.position)) as string
    if (keys.has(key)) this.duplicate ??= { key, position: start }
    keys.add(key)
    this.skipWhitespace()
    if (this.text.charAt(this.position) !== ':') return false
    this.position++
    return true
  }

  private scanScalar(first: string): boolean {
    if (first === '"') return this.scanString()
    const literal = literals.find((word) => word.startsWith(first) && first !== '')
    if (literal !== undefined) {
      for (const character of literal) {
        if (this.text.charAt(this.position) !== character) return false
        this.position++
      }
      return true
    }
    return this.scanNumber()
  }

  private scanNumber(): boolean {
    if (this.text.charAt(this.position) === '-') this.position++
    if (this.text.charAt(this.position) === '0') this.position++
    else if (!this.skipDigits()) return false
    if (this.text.charAt(this.position) === '.') {
      this.position++
      if (!this.skipDigits()) return false
    }
    if (!/[eE]/.test(this.text.charAt(this.position))) return true
    this.position++
    if (/[+-]/.test(this.text.charAt(this.position))) this.position++
    return this.skipDigits()
  }

  private skipDigits(): boolean {
    const start = this.position
    while (isDigitCode(this.text.charCodeAt(this.position))) this.position++
    return this.position > start
  }

  private scanString(): boolean {
    for (this.position++; this.position < this.text.length; this.position++) {
      const code = this.text.charCodeAt(this.position)
      if (code < 0x20) return false
      if (code === quote) {
        this.position++
        return true
      }
      if (code === backslash && !this.scanEscape()) return false
    }
    return false
  }

  /** Scans an escape, and leaves the position at its last character. */
  private scanEscape(): boolean {
    this.position++
    const letter = this.text.charAt(this.position)
    if (letter === 'u') {
      for (let digits = 0; digits < 4; digits++) {
        this.position++
        if (!/[\da-fA-F]/.test(this.text.charAt(this.position))) return false
      }
      return true
    }
    return letter !== '' && '"\\/bfnrt'.includes(letter)
  }

  private skipWhitespace(): void {
    while (isWhitespace(this.text.charCodeAt(this.position))) this.position++
  }
}

const literals = ['true', 'false', 'null']
const quote = 0x22
const backslash = 0x5c

function closingOf(container: Container): string {
  return container === 'array' ? ']' : '}'
}

function isDigitCode(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}
