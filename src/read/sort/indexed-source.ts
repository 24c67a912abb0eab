import { compareRuns, type IndexRun } from './index-run.ts'
import { MergeHeap } from './merge-heap.ts'
import type { RecordParser } from './record-parser.ts'
import type { RecordSource, TimedRecord } from './record-source.ts'

const batchRecords = 128
const batchBytes = 1_048_576

/** The records that are in an index, read from their locations in the order of their times. */
export class IndexedSource implements RecordSource {
  readonly rank = 1
  readonly #runs = new MergeHeap(compareRuns)
  readonly #parsers: readonly RecordParser[]
  #records: TimedRecord[] = []
  #index = -1

  /** @param parsers - the parser of each input */
  constructor(runs: readonly IndexRun[], parsers: readonly RecordParser[]) {
    for (const run of runs) if (run.next()) this.#runs.add(run)
    this.#parsers = parsers
  }

  get current(): TimedRecord | undefined {
    return this.#records[this.#index]
  }

  next(): boolean {
    if (this.#index + 1 >= this.#records.length) return false
    this.#index++
    return true
  }

  async fill(): Promise<boolean> {
    this.#records = []
    this.#index = -1
    let bytes = 0
    for (let run = this.#runs.first; run !== undefined; run = this.#runs.first) {
      const { millis, nanos, length, source } = run
      const input = source >> 1
      this.#records.push({ millis, nanos, input, record: this.#parsers[input]!.parse(run) })
      bytes += length
      if (run.next()) this.#runs.updateFirst()
      else this.#runs.removeFirst()
      if (this.#records.length === batchRecords || bytes >= batchBytes) break
    }
    return this.next()
  }

  async close(): Promise<void> {}
}
