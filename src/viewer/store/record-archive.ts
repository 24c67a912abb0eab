import type { RecordSource } from '../otlp/otlp-record.ts'

/** Receives the records that are added to a store. */
export interface RecordArchive {
  /**
   * Receives a record.
   *
   * @param message - the bytes of the record, which are only valid during the call
   * @param sourceKey - identifies the source
   */
  addRecord(sequence: number, message: Uint8Array, source: RecordSource, sourceKey: string, now: number): void
}
