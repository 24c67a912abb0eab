import type { RecordPredicate } from '../../read/query/compile-query.ts'
import { selectRecords } from '../../read/query/select-records.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { textLineRecord } from '../../read/text-line-record.ts'
import type { Statistics } from './statistics.ts'

/**
 * Passes the records and lines of text that match a query to the statistics. They are tested for a chunk at once, because a call of a query
 * with regular expressions costs 0.1 ms. Call `flush` after each chunk.
 */
export class QuerySink implements RecordSink {
  readonly #query: RecordPredicate
  readonly #statistics: Statistics
  #pending: ReadRecord[] = []
  /** The pending records that are lines of text. */
  readonly #textLines = new Set<ReadRecord>()

  constructor(query: RecordPredicate, statistics: Statistics) {
    this.#query = query
    this.#statistics = statistics
  }

  record(record: ReadRecord): void {
    this.#pending.push(record)
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    const line = textLineRecord(bytes, origin)
    this.#textLines.add(line)
    this.#pending.push(line)
  }

  /**
   * Tests the records that were not tested yet.
   *
   * @throws QueryTimeoutError if a regular expression takes too long.
   */
  flush(): void {
    const selected = selectRecords(this.#query, this.#pending)
    this.#statistics.unmatched += this.#pending.length - selected.length
    this.#pending = []
    for (const record of selected) {
      if (this.#textLines.has(record)) this.#statistics.text(record.raw, record.origin)
      else this.#statistics.record(record)
    }
    this.#textLines.clear()
  }
}
