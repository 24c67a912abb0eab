import type { RecordReader } from '../lines/record-reader.ts'
import type { RecordSink } from '../lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../record.ts'
import type { BlockCache } from '../repeatable/block-cache.ts'
import { textLineRecord } from '../text-line-record.ts'
import type { EntryLocation } from './index-run.ts'

/** Reads single records of an input again, from their bytes. */
export class RecordParser implements RecordSink {
  readonly #file: string
  readonly #reader: RecordReader
  readonly #records: ReadRecord[] = []
  readonly #cache: BlockCache
  /** The location of the bytes of `#records`. */
  #source = -1
  #offset = 0

  /**
   * @param file - the name of the input
   * @param cache - reads the bytes of the sources that locations name
   * @param newReader - creates a reader of the input's records
   */
  constructor(file: string, cache: BlockCache, newReader: (sink: RecordSink) => RecordReader) {
    this.#file = file
    this.#cache = cache
    this.#reader = newReader(this)
  }

  /** Returns the record at a location. */
  parse({ source, offset, length, line, part }: EntryLocation): ReadRecord {
    // The records of a line with several are mostly next to each other also by time.
    if (source !== this.#source || offset !== this.#offset) {
      this.#records.length = 0
      const bytes = this.#cache.read(source, offset, length)
      this.#reader.read({ bytes, firstLine: line, offset: 0, isEnd: true })
      this.#reader.flush()
      this.#source = source
      this.#offset = offset
    }
    const record = this.#records[part]
    if (record === undefined) throw new Error(`${this.#file} was changed while it was sorted`)
    return record
  }

  record(record: ReadRecord): void {
    this.#records.push(record)
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.#records.push(textLineRecord(bytes, origin))
  }
}
