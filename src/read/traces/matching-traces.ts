import { withoutPrototype } from '../../options/own-members.ts'
import type { RecordSink } from '../lines/record-sink.ts'
import { hasTimeLimit, selectRecords } from '../query/select-records.ts'
import type { ReadRecord } from '../record.ts'
import { newRecordReader, type BatchOptions } from '../record-batches.ts'
import type { RepeatableInput } from '../repeatable/repeatable-input.ts'
import { TraceIdSet } from './trace-id-set.ts'

/** The traces in which a record matched. */
export class MatchingTraces implements RecordSink {
  readonly #matches: (record: ReadRecord) => boolean
  readonly #traceIds = new TraceIdSet()
  /** Whether `matches` is a query with regular expressions. Then the records of a chunk are tested at once. */
  readonly #hasTimeLimit: boolean
  #pending: ReadRecord[] = []

  constructor(matches: (record: ReadRecord) => boolean) {
    this.#matches = matches
    this.#hasTimeLimit = hasTimeLimit(matches)
  }

  /** The number of traces. */
  get size(): number {
    return this.#traceIds.size
  }

  /** Adds the traces of the matching records of an input, which is read to its end. */
  async addInput(input: RepeatableInput, options: BatchOptions): Promise<void> {
    const needed = withoutPrototype(options).neededByTraces
    const reader = newRecordReader(input.file, this, { ...options, needed, reuseBuffer: true })
    for await (const chunk of input.read({ ...options, reuseBuffer: true })) {
      reader.read(chunk)
      this.#testPending()
    }
    reader.flush()
    this.#testPending()
  }

  record(record: ReadRecord): void {
    // Records that cannot change the result are not tested.
    const { traceId } = record
    if (traceId === undefined || this.#traceIds.has(traceId)) return
    if (this.#hasTimeLimit) this.#pending.push(record)
    else if (this.#matches(record)) this.#traceIds.add(traceId)
  }

  /** Lines of no known format have no trace. */
  text(): void {}

  #testPending(): void {
    for (const { traceId } of selectRecords(this.#matches, this.#pending)) this.#traceIds.add(traceId!)
    this.#pending = []
  }

  /** Returns whether a record is in one of the traces, or matches without being in a trace. */
  includes(record: ReadRecord): boolean {
    return record.traceId === undefined ? this.#matches(record) : this.#traceIds.has(record.traceId)
  }
}
