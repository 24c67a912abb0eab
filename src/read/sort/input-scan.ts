import type { LineChunk } from '../input/line-chunk.ts'
import type { RecordSink } from '../lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../record.ts'
import { textLineRecord } from '../text-line-record.ts'
import { BitList } from './bit-list.ts'
import type { EntryLocation } from './index-run.ts'
import type { JoinedBytes } from './joined-bytes.ts'
import type { RecordIndex } from './record-index.ts'
import { compareTimes, LastTime } from './time-key.ts'

/** The shared parts of the scans of all inputs. */
export interface ScanTarget {
  /** Whether a record is in the output. */
  readonly accepts: (record: ReadRecord) => boolean
  /** Receives the records that follow a later one. */
  readonly index: RecordIndex
  /** Receives the bytes of records that are not in one piece in the current chunk, such as the parts of a line that a container's runtime cut. */
  readonly joined: JoinedBytes
}

/**
 * The first pass over an input: finds the records that are accepted, and how many of them are in order. All records after these are added
 * to an index. Records of an input that is in order need no index.
 */
export class InputScan implements RecordSink {
  readonly #target: ScanTarget
  readonly #input: number
  readonly #time = new LastTime()
  readonly #latest = new LastTime()
  #chunk: LineChunk | undefined
  #lastRaw: Uint8Array | undefined
  #lastLocation: EntryLocation | undefined
  #part = 0

  /** For each record whether it is accepted. */
  readonly accepted: BitList = new BitList()
  /** The time of records before the first record with a time. */
  readonly firstTime: LastTime = new LastTime()
  /** The number of records before the first one in the index; undefined if all are in order. */
  orderedCount: number | undefined

  /** @param input - the number of the input */
  constructor(input: number, target: ScanTarget) {
    this.#input = input
    this.#target = target
  }

  /** Sets the chunk that is read next. Its memory can be that of the chunk before it. */
  setChunk(chunk: LineChunk): void {
    this.#chunk = chunk
  }

  /** Releases the memory of the chunks. */
  end(): void {
    this.#chunk = undefined
    this.#lastRaw = undefined
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.record(textLineRecord(bytes, origin))
  }

  record(record: ReadRecord): void {
    const isFirst = this.#time.millis === -Infinity
    this.#time.update(record)
    if (isFirst) this.firstTime.set(this.#time)
    this.#part = record.raw === this.#lastRaw ? this.#part + 1 : 0
    this.#lastRaw = record.raw
    const isAccepted = this.#target.accepts(record)
    if (isAccepted) this.#add(record)
    this.accepted.push(isAccepted)
  }

  #add(record: ReadRecord): void {
    if (this.orderedCount === undefined) {
      if (compareTimes(this.#time, this.#latest) >= 0) return this.#latest.set(this.#time)
      this.orderedCount = this.accepted.length
    }
    this.#target.index.add(this.#time, this.#locate(record))
  }

  #locate({ raw, origin }: ReadRecord): EntryLocation {
    const part = this.#part
    if (part > 0 && this.#lastLocation !== undefined) return { ...this.#lastLocation, part }
    const offset = this.#offsetOf(raw)
    const isJoined = offset === undefined
    this.#lastLocation = {
      offset: isJoined ? this.#target.joined.append(raw) : offset,
      length: raw.length,
      line: origin.line,
      source: 2 * this.#input + (isJoined ? 1 : 0),
      part,
    }
    return this.#lastLocation
  }

  /** Returns the position of bytes in the input; undefined if they are not in the current chunk. */
  #offsetOf(raw: Uint8Array): number | undefined {
    if (this.#chunk === undefined) return undefined
    const { bytes, offset } = this.#chunk
    const start = raw.byteOffset - bytes.byteOffset
    const isInChunk = raw.buffer === bytes.buffer && start >= 0 && start + raw.length <= bytes.length
    return isInChunk ? offset + start : undefined
  }
}
