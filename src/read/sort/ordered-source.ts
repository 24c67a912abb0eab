import type { LineChunk } from '../input/line-chunk.ts'
import type { RecordReader } from '../lines/record-reader.ts'
import type { RecordSink } from '../lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../record.ts'
import { textLineRecord } from '../text-line-record.ts'
import type { InputScan } from './input-scan.ts'
import type { RecordSource, TimedRecord } from './record-source.ts'
import { LastTime } from './time-key.ts'

/** The records of an input that are in order, from its beginning on. They are read again in small chunks. */
export class OrderedSource implements RecordSource, RecordSink {
  readonly rank = 0
  readonly #input: number
  readonly #scan: InputScan
  readonly #count: number
  readonly #reader: RecordReader
  readonly #chunks: Iterator<LineChunk> | AsyncIterator<LineChunk>
  readonly #time = new LastTime()
  #records: TimedRecord[] = []
  #index = -1
  /** The number of records that were read, also of those that are not accepted. */
  #readCount = 0
  #isEnd = false

  /**
   * @param input - the number of the input
   * @param newReader - creates a reader of the input's records
   */
  constructor(
    input: number,
    scan: InputScan,
    chunks: Iterable<LineChunk> | AsyncIterable<LineChunk>,
    newReader: (sink: RecordSink) => RecordReader,
  ) {
    this.#input = input
    this.#scan = scan
    this.#count = scan.orderedCount ?? scan.accepted.length
    this.#time.set(scan.firstTime)
    this.#chunks = Symbol.iterator in chunks ? chunks[Symbol.iterator]() : chunks[Symbol.asyncIterator]()
    this.#reader = newReader(this)
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
    while (this.#records.length === 0 && !this.#isEnd && this.#readCount < this.#count) {
      const { done, value } = await this.#chunks.next()
      if (done !== true) this.#reader.read(value)
      else {
        this.#isEnd = true
        this.#reader.flush()
      }
    }
    return this.next()
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.record(textLineRecord(bytes, origin))
  }

  record(record: ReadRecord): void {
    this.#time.update(record)
    const number = this.#readCount++
    if (number >= this.#count || !this.#scan.accepted.at(number)) return
    const { millis, nanos } = this.#time
    this.#records.push({ millis, nanos, input: this.#input, record })
  }
}
