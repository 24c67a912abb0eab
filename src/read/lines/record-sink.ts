import type { ReadRecord, RecordOrigin } from '../record.ts'

/** Receives what is read from lines, in the order of the input. */
export interface RecordSink {
  /** Receives a record with all its lines. The records of one line, such as those of an OTLP request, have the same object `raw`. */
  record(record: ReadRecord): void
  /** Receives a line of no known format, with its line end. */
  text(bytes: Uint8Array, origin: RecordOrigin): void
}
