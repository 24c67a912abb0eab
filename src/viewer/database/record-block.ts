import type { RecordSource } from '../otlp/otlp-record.ts'

/** Consecutive records of one source, which are a row of the database. */
export interface RecordBlock {
  /** The number of the first record. Records are numbered in the order in which they were saved. */
  readonly first: number
  readonly source: RecordSource
  /** The ID of the source in the database. */
  readonly sourceId: number
  /** When the first record was received, in ms since the Unix epoch: the time of records without one. */
  readonly received: number
  /** Where each record ends in `bytes`. */
  readonly ends: Uint32Array
  /** The messages of OTLP, one after the other. */
  readonly bytes: Buffer
}

/** The number of records of a block. */
const maxRecords = 1_024
/** The bytes of a block, unless one record has more. */
const maxBytes = 1_048_576
const initialBytes = 65_536

/** Collects the records of a block. */
export class BlockBuffer {
  private source: RecordSource | undefined
  private sourceKey = ''
  private received = 0
  private sequence = 0
  private bytes = Buffer.allocUnsafeSlow(initialBytes)
  private length = 0
  private ends: number[] = []

  get count(): number {
    return this.ends.length
  }

  /** Returns whether a record can be added to the current block. */
  accepts(sequence: number, bytes: number, source: RecordSource): boolean {
    const { count } = this
    if (count === 0) return true
    return (
      source === this.source &&
      sequence === this.sequence + count &&
      count < maxRecords &&
      this.length + bytes <= maxBytes
    )
  }

  add(sequence: number, message: Uint8Array, source: RecordSource, sourceKey: string, now: number): void {
    if (this.count === 0) {
      this.sequence = sequence
      this.source = source
      this.sourceKey = sourceKey
      this.received = now
    }
    const end = this.length + message.length
    if (end > this.bytes.length) this.grow(end)
    this.bytes.set(message, this.length)
    this.length = end
    this.ends.push(end)
  }

  /** Returns the block, and begins a new one. */
  take(): PendingBlock {
    const { sequence, source, sourceKey, received, ends, length } = this
    const bytes = Buffer.from(this.bytes.subarray(0, length))
    this.length = 0
    this.ends = []
    if (this.bytes.length > maxBytes) this.bytes = Buffer.allocUnsafeSlow(initialBytes)
    return { sequence, source: source!, sourceKey, received, ends: Uint32Array.from(ends), bytes }
  }

  private grow(bytes: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(maxBytes, 2 * this.bytes.length)))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
  }
}

/** A block that is not in the database yet. */
export interface PendingBlock extends Omit<RecordBlock, 'first' | 'sourceId'> {
  /** The sequence number of its first record in the store. */
  readonly sequence: number
  /** Identifies the source. */
  readonly sourceKey: string
}

/** Returns the records of a block. Those after damage are omitted. */
export function* recordsOf({ ends, bytes }: RecordBlock): Generator<Buffer> {
  let start = 0
  for (const end of ends) {
    if (end < start || end > bytes.length) return
    yield bytes.subarray(start, end)
    start = end
  }
}
