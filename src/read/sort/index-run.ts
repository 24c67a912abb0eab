import type { TemporaryFile } from '../repeatable/temporary-file.ts'
import { compareTimes, type TimeKey } from './time-key.ts'

/** The size of an entry: three doubles (milliseconds, offset, line), and four integers (nanoseconds, length, source, part). */
export const entryBytes = 40
export const entryDoubles: number = entryBytes / 8
const bufferEntries = 2048

/** Where the bytes of a record are. */
export interface EntryLocation {
  /** The position of its bytes in the source. */
  readonly offset: number
  readonly length: number
  /** The number of its first line in the input. */
  readonly line: number
  /** The number of the source of the bytes. */
  readonly source: number
  /** The number of the record among those that are read from the same bytes, such as a request of OTLP. */
  readonly part: number
}

/** A sorted part of a `RecordIndex`, and the entry in it that is next. */
export class IndexRun implements TimeKey, EntryLocation {
  /** The number of the run. Among entries with the same time, those of a run with a lower rank come first. */
  readonly rank: number
  readonly #order: readonly number[] | undefined
  readonly #file: TemporaryFile | undefined
  #doubles: Float64Array
  #integers: Uint32Array
  /** Where the next entries are in the file. */
  #position: number
  #remaining: number
  /** The number of the entry in `#order`, or in the buffer. */
  #index = 0
  /** How many entries the buffer has. */
  #buffered: number
  #at = 0

  private constructor(
    rank: number,
    buffer: { readonly doubles: Float64Array; readonly integers: Uint32Array },
    entries: { readonly count: number; readonly order?: readonly number[] },
    file?: TemporaryFile,
    position = 0,
  ) {
    this.rank = rank
    this.#doubles = buffer.doubles
    this.#integers = buffer.integers
    this.#order = entries.order
    this.#file = file
    this.#position = position
    this.#buffered = file === undefined ? entries.count : 0
    this.#remaining = file === undefined ? 0 : entries.count
  }

  /** Creates a run of entries in memory. */
  static inMemory(rank: number, doubles: Float64Array, integers: Uint32Array, order: readonly number[]): IndexRun {
    return new IndexRun(rank, { doubles, integers }, { count: order.length, order })
  }

  /** Creates a run of `count` entries in a file. */
  static onDisk(rank: number, file: TemporaryFile, position: number, count: number): IndexRun {
    const doubles = new Float64Array(Math.min(count, bufferEntries) * entryDoubles)
    return new IndexRun(rank, { doubles, integers: new Uint32Array(doubles.buffer) }, { count }, file, position)
  }

  get millis(): number {
    return this.#doubles[this.#at]!
  }

  get offset(): number {
    return this.#doubles[this.#at + 1]!
  }

  get line(): number {
    return this.#doubles[this.#at + 2]!
  }

  get nanos(): number {
    return this.#integers[2 * this.#at + 6]!
  }

  get length(): number {
    return this.#integers[2 * this.#at + 7]!
  }

  get source(): number {
    return this.#integers[2 * this.#at + 8]!
  }

  get part(): number {
    return this.#integers[2 * this.#at + 9]!
  }

  /** Moves to the next entry, the first one at the first call, and returns whether there is one. */
  next(): boolean {
    if (this.#index === this.#buffered && !this.#fill()) return false
    const index = this.#index++
    this.#at = (this.#order === undefined ? index : this.#order[index]!) * entryDoubles
    return true
  }

  #fill(): boolean {
    const count = Math.min(this.#remaining, bufferEntries)
    if (count === 0) return false
    this.#file!.read(new Uint8Array(this.#doubles.buffer, 0, count * entryBytes), this.#position)
    this.#position += count * entryBytes
    this.#remaining -= count
    this.#buffered = count
    this.#index = 0
    return true
  }
}

/** Compares the current entries of two runs of one index: by time, then by the order in which they were added. */
export function compareRuns(left: IndexRun, right: IndexRun): number {
  return compareTimes(left, right) || left.rank - right.rank
}
