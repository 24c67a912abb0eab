import { stripVTControlCharacters } from 'node:util'
import { ContinuationLines, isErrorHeader } from '../../read/lines/continuation.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'

/** Receives records, and text whose lines belong together. */
export interface TextSink {
  record(record: ReadRecord): void
  /**
   * @param lines - lines without their line ends and control codes
   * @param hasStack - whether they contain a stack trace
   */
  lines(lines: readonly string[], hasStack: boolean, origin: RecordOrigin): void
}

/** The maximum number of lines in one record. */
const maxLines = 1_000
/** The message of an error can have many lines before its stack trace. */
const maxUndecided = 40

/** Joins lines of no known format that belong together, such as an error and its stack trace, or an object that `console.log` writes. */
export class TextJoiner implements RecordSink {
  private readonly sink: TextSink
  private joined: string[] = []
  /** Lines that belong to the joined ones if the next line does. */
  private undecided: string[] = []
  private origin: RecordOrigin | undefined
  private continuation = new ContinuationLines()

  constructor(sink: TextSink) {
    this.sink = sink
  }

  record(record: ReadRecord): void {
    this.flush()
    this.sink.record(record)
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.add(shownText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()), origin)
  }

  /** Passes on the lines that are held back. */
  flush(): void {
    const { joined, undecided, origin } = this
    if (origin === undefined) return
    this.origin = undefined
    this.joined = []
    this.undecided = []
    // Programs separate parts of their output by empty lines.
    if (joined.some((line) => line.trim() !== '')) this.sink.lines(joined, this.continuation.hasStack, origin)
    for (const line of undecided) this.add(line, origin)
    if (undecided.length > 0) this.flush()
  }

  private add(line: string, origin: RecordOrigin): void {
    const kind = this.origin === undefined || this.joined.length >= maxLines ? 'no' : this.continuation.classify(line)
    if (kind === 'yes') this.join(line)
    else if (kind !== 'no' && this.undecided.length < maxUndecided) {
      this.undecided.push(line)
      this.continuation.addUndecided(line)
    } else {
      this.flush()
      this.begin(line, origin)
    }
  }

  private begin(line: string, origin: RecordOrigin): void {
    this.origin = origin
    this.joined.push(line)
    this.continuation = new ContinuationLines()
    // The message of an error can have several lines.
    if (isErrorHeader(line)) this.continuation.addUndecided(line)
    // The closing bracket of an object is not indented.
    else if (/[[{(]$/.test(line)) this.continuation.add(line)
  }

  private join(line: string): void {
    for (const undecided of this.undecided) this.continuation.add(undecided)
    this.joined.push(...this.undecided, line)
    this.undecided = []
    this.continuation.add(line)
  }
}

/** Returns a line as a terminal shows it: without control codes, and what a carriage return overwrites. */
function shownText(line: string): string {
  const text = stripVTControlCharacters(line).replace(/\r?\n$/, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}
