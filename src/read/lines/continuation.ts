/**
 * Whether a line belongs to the record before it. `maybe` is a line that belongs to it only if the next line does, such as
 * `TypeError: …`, which is the first line of a stack trace only if a frame follows.
 */
export type Continuation = 'yes' | 'no' | 'maybe'

/** Recognizes the lines of stack traces and other indented lines that follow a record. One for each record. */
export class ContinuationLines {
  /** Whether one of the lines is of a stack trace. */
  hasStack = false
  private count = 0
  private isInTraceback = false
  private wasIndented = false

  /** Returns whether a line follows the record and the lines that were added. */
  classify(line: string): Continuation {
    const first = line.charCodeAt(0)
    if (first === space || first === tab) return 'yes'
    if (Number.isNaN(first)) return this.count > 0 ? 'maybe' : 'no'
    if (first === closeBrace || first === closeBracket)
      return this.count > 0 && /^[\])}]+[,;]?$/.test(line) ? 'yes' : 'no'
    // No other line of a stack trace begins with anything but a letter.
    if (!isNameStart(first)) return 'no'
    if (line.startsWith('Caused by: ') || line.startsWith('Suppressed: ') || line.startsWith(traceback)) return 'yes'
    if (this.count > 0 && (line.startsWith(handling) || line.startsWith(directCause))) return 'yes'
    if (this.isInTraceback && this.wasIndented && /^[A-Z_a-z][\w.]*(?::|$)/.test(line)) return 'yes'
    return isErrorHeader(line) ? 'maybe' : 'no'
  }

  /** Adds a line that belongs to the record. */
  add(line: string): void {
    this.count++
    const first = line.charCodeAt(0)
    this.wasIndented = first === space || first === tab
    if (line.startsWith(traceback)) this.isInTraceback = true
    else if (!this.wasIndented) this.isInTraceback = false
    this.hasStack ||= this.wasIndented ? frame.test(line.slice(0, 64)) : line.length > 2
  }
}

/** Returns whether a line is the first of a stack trace. */
export function isErrorHeader(line: string): boolean {
  return errorHeader.test(line.length > 200 ? line.slice(0, 200) : line)
}

/** `TypeError: …`, `java.lang.IllegalStateException`, `AssertionError [ERR_ASSERTION]: …`, with `Uncaught` in front of it. */
const errorHeader = /^(?:Uncaught )?(?:[\w$]+[./])*[\w$]*(?:Error|Exception)(?: \[[\w.]+\])?(?::|$)/
/** `at …` of JavaScript and Java, `File "…"` of Python. */
const frame = /^\s+(?:at |File "|\.\.\. \d)/
const traceback = 'Traceback (most recent call last):'
const handling = 'During handling of the above exception'
const directCause = 'The above exception was the direct cause'

function isNameStart(code: number): boolean {
  return ((code | 32) >= 97 && (code | 32) <= 122) || code === 95 || code === 36
}

const tab = 9
const space = 32
const closeBracket = 93
const closeBrace = 125
