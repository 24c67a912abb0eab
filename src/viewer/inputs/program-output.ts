import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
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
    this.compare(record, record.raw.length)
  }

  lines(lines: readonly string[], hasStack: boolean, origin: RecordOrigin): void {
    const level = this.stream === 'stdout' ? 'info' : standardErrorLevel(lines[0]!)
    const bytes = lines.reduce((sum, line) => sum + line.length, 0)
    // `console.warn` and `console.error` write to the same stream.
    const isWarningOrError = this.stream === 'stderr' && level === 'error'
    this.compare(textLinesRecord(lines, hasStack, level, origin), bytes, isWarningOrError)
  }

  private compare(record: ReadRecord, bytes: number, isWarningOrError = false): void {
    const now = Date.now()
    const { time, severityNumber, message } = record
    this.duplicates.addOutput({ time, severityNumber, message, isWarningOrError }, now, bytes, () =>
      this.adder.add(record, { ...record.origin, stream: this.stream }, now),
    )
  }
}
