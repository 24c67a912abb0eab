import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import type { RecordAdder } from '../store/record-adder.ts'
import type { TextSink } from './text-joiner.ts'
import { textLinesRecord } from './text-lines-record.ts'

/** Adds the records of a file. The level of text is unknown. */
export class FileOutput implements TextSink {
  private readonly adder: RecordAdder

  constructor(adder: RecordAdder) {
    this.adder = adder
  }

  record(record: ReadRecord): void {
    this.adder.record(record)
  }

  lines(lines: readonly string[], hasStack: boolean, origin: RecordOrigin): void {
    this.adder.record(textLinesRecord(lines, hasStack, undefined, origin))
  }
}
