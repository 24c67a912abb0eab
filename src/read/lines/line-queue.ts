import { HeldLine } from './held-line.ts'
import type { RecordSink } from './record-sink.ts'

/** The number of lines of other containers after which no further line is expected to belong to a record. */
const maxLinesBetween = 128
/** The maximum number of lines in the queue. */
const maxLines = 1024
/** The maximum number of queued bytes after an open line. */
const maxBytes = 16 * 1024 * 1024

/**
 * The lines that were not passed on yet, in the order of the input. The first one is open: more lines can belong to it. Lines of other
 * containers after it can be complete.
 */
export class LineQueue {
  private readonly sink: RecordSink
  private readonly lines: HeldLine[] = []

  constructor(sink: RecordSink) {
    this.sink = sink
  }

  get isEmpty(): boolean {
    return this.lines.length === 0
  }

  /** Returns the lines, in order. */
  all(): readonly HeldLine[] {
    return this.lines
  }

  /** Adds a line. */
  add(line: HeldLine): void {
    this.lines.push(line)
  }

  /**
   * Passes on the lines before the first open one. That one is closed if too many lines follow it.
   *
   * @param lineNumber - the number of the current line
   * @param close - closes a line
   */
  drain(lineNumber: number, close: (line: HeldLine) => void): void {
    const { lines, sink } = this
    let given = 0
    while (given < lines.length) {
      const line = lines[given]!
      if (line.isOpen) {
        if (!this.isLate(line, given, lineNumber)) break
        close(line)
      }
      given++
      line.giveTo(sink)
    }
    if (given === lines.length) lines.length = 0
    else if (given > 0) lines.splice(0, given)
  }

  private isLate(line: HeldLine, index: number, lineNumber: number): boolean {
    const { lines } = this
    if (lineNumber - line.lastLine < maxLinesBetween && lines.length < maxLinesBetween)
      return this.bytesAfter(index) > maxBytes
    // The parts of a long line can be further apart.
    return line.records.length > 0 || lines.length > maxLines
  }

  private bytesAfter(index: number): number {
    let bytes = 0
    for (let at = index + 1; at < this.lines.length; at++) bytes += this.lines[at]!.raw.length
    return bytes
  }
}
