import { ContinuationLines } from '../../read/lines/continuation.ts'
import type { RecordOrigin } from '../../read/record.ts'

/** Recognizes the lines of stack traces after lines of text, so that a trace is not a group for each of its frames. */
export class TextTraces {
  private lines = new ContinuationLines()
  private file = ''
  private next = 0

  /** Returns whether a line belongs to the line of text directly before it. */
  continues(text: string, { file, line }: RecordOrigin): boolean {
    const continues = line === this.next && file === this.file && this.lines.classify(text) === 'yes'
    if (continues) this.lines.add(text)
    else this.lines = new ContinuationLines()
    this.file = file
    this.next = line + 1
    return continues
  }
}
