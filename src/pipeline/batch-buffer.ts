import type { InstrumentationSource } from '../record/instrumentation-source.ts'
import { BatchSlice, type Sliceable } from './batch-slice.ts'
import { byteEnds } from './byte-ends.ts'
import type { BatchSource, EncodedBatch } from './exporter.ts'
import type { Counters } from './counters.ts'

/**
 * The logger and exporter that records belong to, compared by identity. Consecutive records of one owner share one entry of a
 * batch buffer.
 */
export class RecordOwner {
  /** The counters that count the records. */
  readonly counters: Counters
  /** Scope and resource, for encodings that do not write them in each record. */
  readonly source: InstrumentationSource
  /** Keeps an object reachable while records are queued: the owner of the logger that this owner belongs to. */
  readonly retained: object | undefined
  /** Called when records have left the queue. `reached`: the destination has them, or may have them. */
  readonly onLeft: ((reached: boolean) => void) | undefined

  constructor(
    counters: Counters,
    source: InstrumentationSource,
    retained?: object,
    onLeft?: (reached: boolean) => void,
  ) {
    this.counters = counters
    this.source = source
    this.retained = retained
    this.onLeft = onLeft
  }
}

/**
 * Encodes text as bytes, and reuses the buffers that were released. Injected, because this layer does not use Node's `Buffer`.
 */
export interface ByteBuffers {
  encode(text: string): Uint8Array
  /** Returns the text of bytes that were encoded here. */
  decode(bytes: Uint8Array): string
  /** Appends the bytes of a text to `open`, or to a new buffer without it. A text never ends in the middle of a character. */
  append(open: OpenBytes | undefined, text: string): OpenBytes
  /** Returns the bytes that were appended. `open` must not be used afterwards. */
  finish(open: OpenBytes): Uint8Array
  release(bytes: Uint8Array): void
}

/** A byte buffer that can be appended to. */
export interface OpenBytes {
  bytes: Uint8Array
  length: number
}

/**
 * A part of the queue. While it is open, records are appended to one growing text; once it is closed, the text is one buffer of
 * bytes. An index holds the end and the severity of each record.
 *
 *     text         {…}\n{…}\n{…}\n    one concatenation per record: a buffer per line and an array to join cost more
 *     recordIndex  5,9  9,9  14,13    the end of each record in UTF-16 units and its severity, in one number
 *     ownerRuns    [owner A from 0, owner B from 2]
 *
 * The text is encoded in pieces while it grows, and the rest when the buffer is closed. A queued string would remain a tree of
 * its parts, which costs the garbage collector five times as much as the bytes. `first` is the number of records that were
 * dropped from the front.
 */
export class BatchBuffer implements Sliceable {
  /** The position in the queue: each buffer of a queue has the next number. */
  readonly sequence: number
  private lowestSeverity = 255
  /** The number of records that were added. */
  total = 0
  protected first = 0
  /** The length of the open text in UTF-16 units: at least a third of its bytes, and equal to them if it is ASCII. */
  openLength = 0
  /** The part of the open text that is not encoded yet, and the bytes of the part before it. */
  private tail = ''
  private front: OpenBytes | undefined
  protected readonly buffers: ByteBuffers
  /** Not a typed array: V8 requests its memory from the system, which takes 15 µs with cold caches. */
  private readonly recordIndex: number[] = []
  private lastOwner: RecordOwner | undefined
  private readonly ownerRuns: { owner: RecordOwner; readonly from: number }[] = []
  private encoded: Uint8Array | undefined
  private start = 0
  private byteEnds: readonly number[] | undefined

  constructor(sequence: number, buffers: ByteBuffers) {
    this.sequence = sequence
    this.buffers = buffers
  }

  /** The lowest severity of the records; 255 if there are none. */
  get minSeverity(): number {
    if (this.lowestSeverity === unknownSeverity) {
      this.lowestSeverity = 255
      this.each(0, this.count, (_owner, severity) => (this.lowestSeverity = Math.min(this.lowestSeverity, severity)))
    }
    return this.lowestSeverity
  }

  /** The number of records without those that were dropped from the front. */
  get count(): number {
    return this.total - this.first
  }

  add(text: string, severity: number, owner: RecordOwner): void {
    const index = this.total
    // All calls come before the record is added: a call throws if the stack is exhausted, and then nothing may have changed.
    if (owner !== this.lastOwner) this.ownerRuns.push({ owner, from: index })
    this.lastOwner = owner
    if (this.tail.length >= pieceLength) this.encodeTail()
    const end = this.openLength + text.length
    this.recordIndex[index] = end * severityRadix + severity
    this.tail += text
    this.openLength = end
    if (severity < this.lowestSeverity) this.lowestSeverity = severity
    this.total = index + 1
  }

  /** Encodes the rest of the open text if it is long, so that no log call has to. */
  prepare(): void {
    if (this.tail.length >= pieceLength / 2) this.encodeTail()
  }

  /** Closes the buffer and encodes the rest of its text. No record may be added afterwards. */
  close(): void {
    const { front, buffers, tail } = this
    this.encoded = front === undefined ? buffers.encode(tail) : buffers.finish(buffers.append(front, tail))
    this.front = undefined
    this.tail = ''
    this.openLength = 0
  }

  /** The number of bytes that count toward the limit of the queue. */
  get heldBytes(): number {
    return this.byteLength
  }

  get byteLength(): number {
    return this.encoded!.length - this.start
  }

  bytes(): Uint8Array {
    return this.start === 0 ? this.encoded! : this.encoded!.subarray(this.start)
  }

  text(): string {
    return this.buffers.decode(this.bytes())
  }

  records(): { readonly text: string; readonly severity: number }[] {
    const all = this.buffers.decode(this.encoded!)
    const records: { text: string; severity: number }[] = []
    for (let i = this.first; i < this.total; i++) {
      records.push({ text: all.slice(i === 0 ? 0 : this.endOf(i - 1), this.endOf(i)), severity: this.severityOf(i) })
    }
    return records
  }

  recordsIn(byteCount: number): number {
    const ends = this.endsInBytes()
    let count = 0
    while (count < this.count && ends[this.first + count]! <= this.start + byteCount) count++
    return count
  }

  offsetOf(record: number): number {
    if (record === this.count) return this.byteLength
    return record === 0 ? 0 : this.endsInBytes()[this.first + record - 1]! - this.start
  }

  slice(from: number, to: number = this.count): EncodedBatch {
    return new BatchSlice(this, from, to)
  }

  sources(): readonly BatchSource[] {
    const sources: BatchSource[] = []
    let record = 0
    this.eachOwnerRun(0, this.count, ({ source: { scope, resource } }, count) => {
      const byteLength = this.offsetOf(record + count) - this.offsetOf(record)
      record += count
      const last = sources.at(-1)
      if (last?.scope !== scope || last.resource !== resource) sources.push({ scope, resource, count, byteLength })
      else
        sources[sources.length - 1] = { ...last, count: last.count + count, byteLength: last.byteLength + byteLength }
    })
    return sources
  }

  /**
   * Drops records from the front until at least `bytes` are free, and calls `dropped` for each. Returns the number of bytes
   * freed.
   */
  shift(bytes: number, dropped: (owner: RecordOwner, severity: number) => void): number {
    const ends = this.endsInBytes()
    const from = this.start
    let last = this.first
    while (last < this.total && this.start - from < bytes) this.start = ends[last++]!
    this.each(0, last - this.first, dropped)
    this.first = last
    this.lowestSeverity = unknownSeverity
    return this.start - from
  }

  /** Returns an open copy without the records of one severity, and calls `dropped` for each of these. */
  without(severity: number, dropped: (owner: RecordOwner, severity: number) => void): BatchBuffer {
    const kept = new BatchBuffer(this.sequence, this.buffers)
    const texts = this.records()
    let index = 0
    this.each(0, this.count, (owner, own) => {
      const { text } = texts[index++]!
      if (own === severity) dropped(owner, own)
      else kept.add(text, own, owner)
    })
    return kept
  }

  /** Assigns the records that are counted in `counters` to another owner. */
  transferOwnership(counters: Counters, newOwner: RecordOwner): void {
    for (const run of this.ownerRuns) if (run.owner.counters === counters) run.owner = newOwner
    this.lastOwner = undefined
  }

  /** Calls `visit` for the records from index `from` up to, but not including, `to`, counted from the front. */
  each(from: number, to: number, visit: (owner: RecordOwner, severity: number) => void): void {
    let run = 0
    for (let i = this.first + from; i < this.first + to; i++) {
      while (run + 1 < this.ownerRuns.length && this.ownerRuns[run + 1]!.from <= i) run++
      visit(this.ownerRuns[run]!.owner, this.severityOf(i))
    }
  }

  /** Calls `visit` for each run of records of one owner within the same range, with the number of its records. */
  eachOwnerRun(from: number, to: number, visit: (owner: RecordOwner, records: number) => void): void {
    for (let run = 0; run < this.ownerRuns.length; run++) {
      const start = Math.max(this.ownerRuns[run]!.from, this.first + from)
      // An index past the end could be read from a polluted Object.prototype.
      const next = run + 1 < this.ownerRuns.length ? this.ownerRuns[run + 1]!.from : this.total
      const end = Math.min(next, this.first + to)
      if (end > start) visit(this.ownerRuns[run]!.owner, end - start)
    }
  }

  /** Releases the bytes for reuse. */
  release(): void {
    if (this.encoded !== undefined) this.buffers.release(this.encoded)
    this.encoded = undefined
  }

  private encodeTail(): void {
    try {
      this.front = this.buffers.append(this.front, this.tail)
      this.tail = ''
    } catch {
      // Out of memory: the text remains a string, and the next record tries again.
    }
  }

  private endsInBytes(): readonly number[] {
    this.byteEnds ??= byteEnds(
      this.recordIndex.map((_, record) => this.endOf(record)),
      this.encoded!,
    )
    return this.byteEnds
  }

  private endOf(record: number): number {
    return Math.floor(this.recordIndex[record]! / severityRadix)
  }

  private severityOf(record: number): number {
    return this.recordIndex[record]! % severityRadix
  }
}

/** More than there are severities, and a power of two, so that an entry of the index is exact. */
const severityRadix = 32

/**
 * V8 keeps a concatenated string as a tree, and flattens it when it is encoded. A tree of 64 KiB would cost the call that closes
 * the buffer about 60 µs; one of this length, in UTF-16 units, costs every 100th call 15 µs and keeps less memory alive.
 */
export const pieceLength = 16_384

const unknownSeverity = -1
