import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { isTextLine } from '../../read/text-line-record.ts'
import type { DuplicateFinder } from '../store/duplicate-finder.ts'
import type { RecordAdder } from '../store/record-adder.ts'
import type { TextSink } from './text-joiner.ts'
import { standardErrorLevel, textLinesRecord } from './text-lines-record.ts'

/**
 * Adds the records of a stream of a program. Text has the level `info`, or `error` if it is of standard error and not a warning. What the
 * program sends by OTLP too is added once.
 */
export class ProgramOutput implements TextSink {
  private readonly stream: 'stdout' | 'stderr'
  private readonly adder: RecordAdder
  private readonly duplicates: DuplicateFinder

  constructor(stream: 'stdout' | 'stderr', adder: RecordAdder, duplicates: DuplicateFinder) {
    this.stream = stream
    this.adder = adder
    this.duplicates = duplicates
  }

  record(record: ReadRecord): void {
    const origin = { ...record.origin, stream: this.stream }
    const now = Date.now()
    const add = (): void => this.adder.add(record, origin, now)
    if (isTextLine(record)) add()
    else this.duplicates.addOutput(record, now, add)
  }

  lines(lines: readonly string[], hasStack: boolean, origin: RecordOrigin): void {
    const level = this.stream === 'stdout' ? 'info' : standardErrorLevel(lines[0]!)
    this.record(textLinesRecord(lines, hasStack, level, origin))
  }
}
