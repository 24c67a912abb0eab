import { selectRecords } from '../../read/query/select-records.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { ContextFilter } from './context.ts'
import { allTests, type RecordFilter, type RecordTest } from './record-filter.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import { release, textItem, type HeldItem } from './held-item.ts'

/** The number of records that are tested at once. */
const batchSize = 256

/** Where selected records go, and the number of records around them. */
export interface FilteringTarget {
  readonly sink: RecordSink
  readonly before: number
  readonly after: number
  /** Called between two groups of records that are not adjacent, if there is context. */
  readonly separator: () => void
}

/**
 * Passes the records that a filter selects to a sink. They are tested in batches, because a regular expression that can take long has one
 * time limit for each batch. Call `flush` after the last record of a chunk.
 */
export class FilteringSink implements RecordSink {
  readonly #test: RecordTest | undefined
  readonly #query: RecordTest | undefined
  readonly #sink: RecordSink
  readonly #context: ContextFilter<HeldItem> | undefined
  #batch: HeldItem[] = []

  constructor({ tests, query }: Pick<RecordFilter, 'tests' | 'query'>, target: FilteringTarget) {
    const { sink, before, after, separator } = target
    this.#test = allTests(tests)
    this.#query = query
    this.#sink = sink
    const contextSink = { item: (item: HeldItem) => release(item, sink), separator }
    this.#context = before + after > 0 ? new ContextFilter(before, after, contextSink) : undefined
  }

  record(record: ReadRecord): void {
    if (this.#context === undefined && this.#test?.(record) === false) return
    if (this.#query === undefined && this.#context === undefined) this.#sink.record(record)
    else this.#add({ record, isText: false })
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    const item = textItem(bytes, origin)
    if (this.#context !== undefined || this.#test?.(item.record) !== false) this.#add(item)
  }

  /**
   * Tests the records that were not tested yet.
   *
   * @throws QueryTimeoutError if a regular expression takes too long.
   */
  flush(): void {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    const test = this.#test
    const candidates = test === undefined ? batch : batch.filter(({ record }) => test(record))
    const records = candidates.map(({ record }) => record)
    const selected = new Set(this.#query === undefined ? records : selectRecords(this.#query, records))
    for (const item of batch) {
      const matches = selected.has(item.record)
      if (this.#context !== undefined) this.#context.add(item, matches)
      else if (matches) release(item, this.#sink)
    }
  }

  /** Ends an input: records of the next one are not context of its records. */
  endInput(): void {
    this.flush()
    this.#context?.endInput()
  }

  #add(item: HeldItem): void {
    this.#batch.push(item)
    if (this.#batch.length >= batchSize) this.flush()
  }
}
