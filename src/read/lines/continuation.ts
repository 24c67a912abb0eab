import { isSourcePosition, isTraceback, uncaughtStart } from './uncaught-error.ts'

/**
 * Whether a line belongs to the record before it:
 * - `maybe`: only if the next line does. `TypeError: …` is the first line of a stack trace only if a frame follows.
 * - `text`: as `maybe`, but only if it is a line of no known format, such as the second line of the message of an error.
 */
export type Continuation = 'yes' | 'no' | 'maybe' | 'text'

/** Recognizes the lines of stack traces and other indented lines that follow a record. One for each record. */
export class ContinuationLines {
  /** Whether one of the lines is of a stack trace. */
  hasStack = false
  private count = 0
  private last = ''
  /** What the undecided lines after the last one that was added are. */
  private pending: 'empty' | 'header' | 'message' | 'position' | 'source' | 'traceback' | undefined
  private language: 'python' | 'go' | 'rust' | undefined
  private isAfterTraceback = false
  /** Whether a trace of Python after the record is the one of its error. */
  private readonly ownsTraceback: boolean

  constructor(ownsTraceback = true) {
    this.ownsTraceback = ownsTraceback
  }

  /** Returns whether a line follows the record and the lines that were added. */
  classify(line: string): Continuation {
    const first = line.charCodeAt(0)
    // The most frequent lines: JSON, and text that begins with a time.
    if (first === openBrace && line.charCodeAt(1) === quote) return 'no'
    if (first >= 48 && first <= 57 && this.pending === undefined && !carets.test(this.last)) return 'no'
    if (this.isOther(line)) return 'no'
    const kind = this.pending === undefined ? undefined : this.classifyAfter(this.pending, line)
    if (kind !== undefined) return kind
    if (isIndented(line)) return 'yes'
    if (line === '') return 'maybe'
    if (isTraceStart(line)) return 'yes'
    if (this.isTracePart(line)) return 'yes'
    if (this.language !== undefined && this.isTraceLine(line)) return 'yes'
    if ((this.count > 0 && errorInBrackets.test(line)) || isErrorHeader(line)) return 'maybe'
    // Any value can be thrown, and the message of an exception of Python can have several lines.
    return carets.test(this.last) || this.isAfterTraceback ? 'text' : 'no'
  }

  /** Adds a line that belongs to the record. */
  add(line: string): void {
    this.count++
    this.pending = undefined
    this.last = line
    if (isIndented(line)) {
      this.hasStack ||= frame.test(line.slice(0, 200))
      this.isAfterTraceback = false
      if (line.startsWith(pythonFrame)) this.language = 'python'
      return
    }
    this.hasStack ||= line.length > 2
    this.isAfterTraceback = this.language === 'python' && !tracePart.test(line)
    if (line.startsWith(traceback)) this.language = 'python'
    else if (goroutine.test(line)) this.language = 'go'
    else if (rustPanic.test(line)) this.language = 'rust'
    else if (this.isAfterTraceback) this.language = undefined
  }

  /** Remembers a line that belongs to the record if the next one does. */
  addUndecided(line: string): void {
    if (this.pending === 'position') this.pending = 'source'
    else if (this.isAfterTraceback && !isErrorHeader(line)) this.pending = 'traceback'
    else if (this.pending === 'header' || this.pending === 'message') this.pending = 'message'
    else if (line === '') this.pending = 'empty'
    else this.pending = isSourcePosition(line) ? 'position' : 'header'
  }

  /** Returns what a line is after undecided ones; undefined if they do not matter. */
  private classifyAfter(pending: NonNullable<typeof this.pending>, line: string): Continuation | undefined {
    if (pending === 'traceback') return tracePart.test(line) ? 'yes' : line.startsWith(traceback) ? 'no' : 'text'
    if (pending === 'header' && isIndented(line)) return 'yes'
    if (isTraceStart(line)) return 'yes'
    switch (pending) {
      // Node writes the position, the line of the source and a caret.
      case 'position':
        return 'text'
      case 'source':
        return carets.test(line) ? 'yes' : 'no'
      case 'header':
        return this.isTracePart(line) ? 'yes' : 'text'
      case 'message':
        return frame.test(line.slice(0, 200)) || this.isTracePart(line) ? 'yes' : 'text'
      default:
        return this.count > 0 ? undefined : 'no'
    }
  }

  /** Returns whether a line begins an uncaught error, which does not belong to the record before it. */
  private isOther(line: string): boolean {
    if (uncaughtStart(line) === undefined) return false
    return !isTraceback(line) || this.isAfterTraceback || (!this.ownsTraceback && !this.hasStack)
  }

  private isTracePart(line: string): boolean {
    return this.count > 0 && tracePart.test(line)
  }

  /** Returns whether a line belongs to a trace in a language whose lines are not indented. */
  private isTraceLine(line: string): boolean {
    switch (this.language) {
      case 'python':
        return isIndented(this.last) && /^[A-Z_a-z][\w.]*(?::|$)/.test(line)
      case 'go':
        return goLine.test(line) || (line.endsWith(')') && /^\S+\(/.test(line))
      default:
        // The message is on the line after the header.
        return (
          (rustPanic.test(this.last) && this.last.endsWith(':')) ||
          line === 'stack backtrace:' ||
          line.startsWith('note: ')
        )
    }
  }
}

function isTraceStart(line: string): boolean {
  return traceStart.test(line) || (line.includes(':in ') && rubyFrame.test(line))
}

/** Returns whether a line is the first of a stack trace. */
export function isErrorHeader(line: string): boolean {
  return errorHeader.test(line.length > 200 ? line.slice(0, 200) : line)
}

/**
 * `TypeError: …`, `java.lang.IllegalStateException`, `AssertionError [ERR_ASSERTION]: …`, with the words that Node, Java and .NET write in
 * front of an uncaught one.
 */
const errorHeader =
  /^(?:Uncaught |Unhandled [Ee]xception[.:] |Exception in thread "[^"]*" )?(?:[\w$]+[./])*[\w$]*(?:Error|Exception|Throwable|Rejection)(?: \[[\w.]+\])?(?::|$)/
const traceback = 'Traceback (most recent call last):'
const pythonFrame = '  File "'
/** The line below the line of the source. */
const carets = /^\s*\^+\s*$/
const goroutine = /^goroutine \d+ /
const rustPanic = /^thread '.{0,100}' (?:\(\d+\) )?panicked at /
/** Lines that are of a stack trace whatever is before them: of Java, Python, Go and Rust. */
const traceStart =
  /^(?:Caused by: |Suppressed: |Traceback \(most recent call last\):|goroutine \d+ |\[signal |thread '.{0,100}' (?:\(\d+\) )?panicked at )/
/** A frame of Ruby, such as `a.rb:3:in 'f'`. */
const rubyFrame = /^[^\s:]{1,200}:\d+:in [`']/
/** Lines that are of a stack trace after other lines of it: of `util.inspect`, which NestJS adds a duration to, Node, Python and .NET. */
const tracePart =
  /^(?:[\])}]+[,;]?(?: \+\d+ms)?$|Node\.js v\d|\(Use `node --trace-uncaught |During handling of the above exception|The above exception was the direct cause|--- End of )/
/** The place where a goroutine was created, and what `go run` adds. */
const goLine = /^(?:created by |exit status \d+$)/
/** An error without a stack, with properties after it: `[UnhandledPromiseRejection: …] {`. */
const errorInBrackets = /^\[[\w$]*(?:Error|Exception|Rejection): .* \{$/
/** `at …` of JavaScript, Java and .NET, `File "…"` of Python, also in a group, `from …` of Ruby, a file of Go, and `0: …` of Rust. */
const frame = /^\s[\s|]*(?:at |File "|\.\.\. \d|from |\d+: |\S+\.go:\d)/

const quote = 34
const openBrace = 123

function isIndented(line: string): boolean {
  const first = line.charCodeAt(0)
  return first === 32 || first === 9
}
