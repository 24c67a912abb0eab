import { isUtf8 } from 'node:buffer'
import { scanJson } from './scan-json.ts'

/** The kinds of problems of a line. */
export type ProblemKind =
  | 'invalid UTF-8'
  | 'NUL bytes'
  | 'invalid JSON'
  | 'truncated'
  | 'merged lines'
  | 'duplicate key'
  | 'unknown format'
  | 'no newline'

/** A problem of a line. */
export interface LineProblem {
  readonly kind: ProblemKind
  /** The position in the line in UTF-16 units, from 1; undefined for a problem of the whole line. */
  readonly column: number | undefined
  readonly reason: string
}

const unknownFormat: LineProblem = {
  kind: 'unknown format',
  column: undefined,
  reason: 'the line is of no known format',
}

/** How many characters of the beginning of a record are searched for in invalid lines. Fewer can occur by chance. */
const headLength = 9

/** The maximum length of a line in UTF-16 units that is compared with its value as JSON. */
const maxCanonicalLength = 1_048_576

/** Finds the problems in the lines of one file. */
export class LineInspector {
  /** How the last valid line of JSON begins, such as `{"timesta`. */
  private head = ''

  /** Returns the problem of a line that is a record; undefined if it is valid. */
  validLine(line: Uint8Array): LineProblem | undefined {
    if (!isUtf8(line)) return invalidUtf8(line)
    if (line[0] !== openBrace) return undefined
    const text = textOf(line)
    // The comparison needs two copies of the line, which a long line must not have.
    if (text.length <= maxCanonicalLength && isCanonical(text)) {
      this.head = text.slice(0, headLength)
      return undefined
    }
    const { duplicate, error } = scanJson(text)
    if (error === undefined) this.head = text.slice(0, headLength)
    if (duplicate === undefined) return undefined
    const reason = `the key ${JSON.stringify(duplicate.key)} occurs twice in one object`
    return { kind: 'duplicate key', column: duplicate.position + 1, reason }
  }

  /** Returns the problem of a line of no known format. */
  unknownLine(line: Uint8Array): LineProblem {
    if (!isUtf8(line)) return invalidUtf8(line)
    const text = textOf(line)
    const nul = text.indexOf('\0')
    if (nul >= 0) return { kind: 'NUL bytes', column: nul + 1, reason: 'the line contains NUL bytes' }
    if (text.startsWith('{')) return this.invalidJson(text)
    const head = this.headAfter(text, 0)
    if (head >= 0) {
      return { kind: 'merged lines', column: head + 1, reason: 'a record begins here, after other text' }
    }
    return unknownFormat
  }

  private invalidJson(text: string): LineProblem {
    const { end, error } = scanJson(text)
    if (error === undefined) {
      if (text.slice(end).trim() === '') return unknownFormat
      const next = text.indexOf('{', end)
      return next >= 0 && text.slice(end, next).trim() === ''
        ? { kind: 'merged lines', column: next + 1, reason: 'a second record begins here' }
        : { kind: 'invalid JSON', column: end + 1, reason: 'there is text after the JSON object' }
    }
    const head = this.headAfter(text, 1)
    if (head >= 0) {
      return {
        kind: 'merged lines',
        column: head + 1,
        reason: 'a second record begins here, before the end of the first',
      }
    }
    return error === 'ends too early'
      ? { kind: 'truncated', column: end + 1, reason: 'the line ends inside a JSON object' }
      : { kind: 'invalid JSON', column: end + 1, reason: 'the JSON is not valid here' }
  }

  private headAfter(text: string, from: number): number {
    return this.head.length < headLength ? -1 : text.indexOf(this.head, from)
  }
}

const openBrace = 0x7b
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function textOf(line: Uint8Array): string {
  return decoder.decode(line).replace(/\r?\n$/, '')
}

/** Returns whether JSON is exactly as `JSON.stringify` writes it, so that no key occurs twice. */
function isCanonical(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text
  } catch {
    return false // The text is nested too deeply for JSON.stringify, or is not only JSON.
  }
}

function invalidUtf8(line: Uint8Array): LineProblem {
  // Find the longest valid beginning by bisection.
  let valid = 0
  let invalid = line.length
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isUtf8Prefix(line.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  const column = decoder.decode(line.subarray(0, valid)).replace(/\ufffd$/, '').length + 1
  return { kind: 'invalid UTF-8', column, reason: 'a byte is not valid UTF-8' }
}

/** Returns whether bytes are valid UTF-8, except for an incomplete character at their end. */
function isUtf8Prefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
