import type { ReadRecord, RecordOrigin } from '../read/record.ts'

/** Writes records in one format. */
export interface Output {
  /** Writes a record. */
  record(record: ReadRecord): void
  /**
   * Writes lines of no known format.
   *
   * @param bytes - the lines with their line ends, as they were read
   */
  text(bytes: Uint8Array, origin: RecordOrigin): void
  /** Writes what is held back, such as the records of a batch. Call it when the input is quiet. */
  flush(): void
  /** Writes what is held back and what is gathered, after the last record. */
  end(): void
}

/** The formats of the flag `-o`. */
export type OutputFormat = 'pretty' | 'line' | 'json' | 'raw' | 'logfmt' | 'otlp' | 'csv'

/** All formats, in the order of the help. */
export const outputFormats: readonly OutputFormat[] = ['pretty', 'line', 'json', 'raw', 'logfmt', 'otlp', 'csv']
