import { LinkedAbort } from './linked-abort.ts'
import type { ReadRecord } from './record.ts'

/** Yields batches of records until it is done or the signal is aborted. */
export type BatchReader = (signal: AbortSignal) => AsyncIterable<readonly ReadRecord[]>

/** Iterates over the records of batches. The next batch is read when the records of the last one were requested. */
export class RecordIterator implements AsyncIterableIterator<ReadRecord, undefined> {
  readonly #outer: AbortSignal | undefined
  #abort: LinkedAbort | undefined
  readonly #records: AsyncGenerator<ReadRecord, undefined>

  /** @param signal - ends the iteration when it is aborted */
  constructor(readBatches: BatchReader, signal: AbortSignal | undefined) {
    this.#outer = signal
    this.#records = this.#read(readBatches)
  }

  next(): Promise<IteratorResult<ReadRecord, undefined>> {
    return this.#records.next()
  }

  async return(): Promise<IteratorResult<ReadRecord, undefined>> {
    // A generator that waits for the next lines of a followed file would not end before there are some.
    this.#abort?.abort()
    return await this.#records.return(undefined)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async *#read(readBatches: BatchReader): AsyncGenerator<ReadRecord, undefined> {
    const abort = new LinkedAbort(this.#outer)
    const { signal } = abort
    this.#abort = abort
    try {
      if (signal.aborted) return
      for await (const batch of readBatches(signal)) {
        for (const record of batch) {
          if (signal.aborted) return
          yield record
        }
      }
    } finally {
      abort.release()
    }
  }
}
