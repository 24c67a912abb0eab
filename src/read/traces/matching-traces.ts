import type { RecordSink } from '../lines/record-sink.ts'
import type { ReadRecord } from '../record.ts'
import { newRecordReader, type BatchOptions } from '../record-batches.ts'
import type { RepeatableInput } from '../repeatable/repeatable-input.ts'
import { TraceIdSet } from './trace-id-set.ts'

/** The traces in which a record matched. */
export class MatchingTraces implements RecordSink {
  readonly #matches: (record: ReadRecord) => boolean
  readonly #traceIds = new TraceIdSet()

  constructor(matches: (record: ReadRecord) => boolean) {
    this.#matches = matches
  }

  /** The number of traces. */
  get size(): number {
    return this.#traceIds.size
  }

  /** Adds the traces of the matching records of an input, which is read to its end. */
  async addInput(input: RepeatableInput, options: BatchOptions): Promise<void> {
    const reader = newRecordReader(input.file, this, { ...options, reuseBuffer: true })
    for await (const chunk of input.read({ ...options, reuseBuffer: true })) reader.read(chunk)
    reader.flush()
  }

  record(record: ReadRecord): void {
    // The expression is evaluated only if it can change the result.
    const { traceId } = record
    if (traceId !== undefined && !this.#traceIds.has(traceId) && this.#matches(record)) this.#traceIds.add(traceId)
  }

  /** Lines of no known format have no trace. */
  text(): void {}

  /** Returns whether a record is in one of the traces, or matches without being in a trace. */
  includes(record: ReadRecord): boolean {
    return record.traceId === undefined ? this.#matches(record) : this.#traceIds.has(record.traceId)
  }
}
