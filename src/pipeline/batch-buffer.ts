import type { InstrumentationSource } from '../record/record.ts'
import { BatchSlice, type Sliceable } from './batch-slice.ts'
import { byteEnds } from './byte-ends.ts'
import type { BatchSource, EncodedBatch } from './exporter.ts'
import type { Counters } from './counters.ts'

/** Where records come from, by identity. Records of one origin in a row share one entry of a chunk. */
export class RecordOwner {
  /** Whose ledger counts them. */
  readonly counters: Counters
  /** The scope and resource, for formats that do not write them with each record. */
  readonly source: InstrumentationSource
  /** What must not be garbage collected while records are queued: the origin of the logger that this one belongs to. */
  readonly retained: object | undefined
  /** Called when records have left the queue. `reached`: the destination has them, or may have them. */
  readonly onLeft: ((reached: boolean) => void) | undefined

  constructor(counters: Counters, source: InstrumentationSource, owner?: object, left?: (reached: boolean) => void) {
    this.counters = counters
    this.source = source
    this.retained = owner
    this.onLeft = left
  }
}

/** Turns text into bytes and takes the bytes back for the next chunk. Handed in: this floor knows no Buffer. */
export interface ByteBuffers {
  encode(text: string): Uint8Array
  /** The text of bytes that were encoded here. */
  decode(bytes: Uint8Array): string
  /** Adds the bytes of a text behind those of `open`; to none without it. A character never lies in two texts. */
  append(open: OpenBytes | undefined, text: string): OpenBytes
  /** The bytes that were added; `open` is done with. */
  finish(open: OpenBytes): Uint8Array
  release(bytes: Uint8Array): void
}

/** Bytes that become more. */
export interface OpenBytes {
  bytes: Uint8Array
  length: number
}

/**
 * A piece of the queue: one growing text while it is open, one buffer of bytes once it is closed, and beside it where each
 * record ends and how severe it is.
 *
 *     text     {…}\n{…}\n{…}\n          one concatenation a record: per-line buffers and an array to join cost more
 *     marks     5,9  9,9  14,13          where it ends, in UTF-16 units, and its severity, in one number
 *     runs     [origin A from 0, origin B from 2]
 *
 * The text is encoded piece by piece while it grows, and to its end when the chunk is closed: kept in a queue it would stay a
 * tree of its parts, which costs the collector five times as much as the bytes. `first` records were dropped from the front since.
 */
export class BatchBuffer implements Sliceable {
  /** Counts up over a queue's chunks. */
  readonly sequence: number
  private least = 255
  /** How many records were added. */
  total = 0
  protected first = 0
  /** How long the open text is, in UTF-16 units: at least a third of its bytes, and all of them where it is ASCII. */
  openLength = 0
  /** The end of the open text, which grows, and the bytes of what stands in front of it. */
  private tail = ''
  private front: OpenBytes | undefined
  protected readonly buffers: ByteBuffers
  /** No typed array: V8 asks the system for its memory, which takes 15 µs where the caches are cold. */
  private readonly recordIndex: number[] = []
  private lastOrigin: RecordOwner | undefined
  private readonly ownerRuns: { owner: RecordOwner; readonly from: number }[] = []
  private encoded: Uint8Array | undefined
  private start = 0
  private byteEnds: readonly number[] | undefined

  constructor(sequence: number, buffers: ByteBuffers) {
    this.sequence = sequence
    this.buffers = buffers
  }

  /** The least severity that a record here has; 255 where there is none. */
  get minSeverity(): number {
    if (this.least === unknownSeverity) {
      this.least = 255
      this.each(0, this.count, (_origin, severity) => (this.least = Math.min(this.least, severity)))
    }
    return this.least
  }

  /** How many records. */
  get count(): number {
    return this.total - this.first
  }

  add(text: string, severity: number, owner: RecordOwner): void {
    const index = this.total
    // Whatever calls stands in front: a call fails on an exhausted stack, and then nothing may have changed.
    if (owner !== this.lastOrigin) this.ownerRuns.push({ owner, from: index })
    this.lastOrigin = owner
    if (this.tail.length >= pieceLength) this.encodeTail()
    const end = this.openLength + text.length
    this.recordIndex[index] = end * severities + severity
    this.tail += text
    this.openLength = end
    if (severity < this.least) this.least = severity
    this.total = index + 1
  }

  /** Encodes the end of the open text if it is long, before a call has to do it. */
  prepare(): void {
    if (this.tail.length >= pieceLength / 2) this.encodeTail()
  }

  /** Encodes the text; nothing is added any more. */
  close(): void {
    const { front, buffers, tail } = this
    this.encoded = front === undefined ? buffers.encode(tail) : buffers.finish(buffers.append(front, tail))
    this.front = undefined
    this.tail = ''
    this.openLength = 0
  }

  /** What it counts for the bound of the queue. */
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
    this.eachOrigin(0, this.count, ({ source: { scope, resource } }, count) => {
      const byteLength = this.offsetOf(record + count) - this.offsetOf(record)
      record += count
      const last = sources.at(-1)
      if (last?.scope !== scope || last.resource !== resource) sources.push({ scope, resource, count, byteLength })
      else
        sources[sources.length - 1] = { ...last, count: last.count + count, byteLength: last.byteLength + byteLength }
    })
    return sources
  }

  /** Drops records from the front until `bytes` are free, telling each. Returns how many bytes that made. */
  shift(bytes: number, dropped: (owner: RecordOwner, severity: number) => void): number {
    const ends = this.endsInBytes()
    const from = this.start
    let last = this.first
    while (last < this.total && this.start - from < bytes) this.start = ends[last++]!
    this.each(0, last - this.first, dropped)
    this.first = last
    this.least = unknownSeverity
    return this.start - from
  }

  /** An open copy without the records of one severity, each of which is told. */
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

  /** The records of an account count for `heir` from now on. */
  transferOwnership(counters: Counters, heir: RecordOwner): void {
    for (const run of this.ownerRuns) if (run.owner.counters === counters) run.owner = heir
    this.lastOrigin = undefined
  }

  /** Calls back for the records from `from` up to `to`, counted from the front. */
  each(from: number, to: number, visit: (owner: RecordOwner, severity: number) => void): void {
    let run = 0
    for (let i = this.first + from; i < this.first + to; i++) {
      while (run + 1 < this.ownerRuns.length && this.ownerRuns[run + 1]!.from <= i) run++
      visit(this.ownerRuns[run]!.owner, this.severityOf(i))
    }
  }

  /** Calls back for each origin in the records from `from` up to `to`, with how many it has there. */
  eachOrigin(from: number, to: number, visit: (owner: RecordOwner, records: number) => void): void {
    for (let run = 0; run < this.ownerRuns.length; run++) {
      const start = Math.max(this.ownerRuns[run]!.from, this.first + from)
      // Past the end, an index could be found on Object.prototype.
      const next = run + 1 < this.ownerRuns.length ? this.ownerRuns[run + 1]!.from : this.total
      const end = Math.min(next, this.first + to)
      if (end > start) visit(this.ownerRuns[run]!.owner, end - start)
    }
  }

  /** Gives the buffer back. */
  release(): void {
    if (this.encoded !== undefined) this.buffers.release(this.encoded)
    this.encoded = undefined
  }

  private encodeTail(): void {
    try {
      this.front = this.buffers.append(this.front, this.tail)
      this.tail = ''
    } catch {
      // no memory for the bytes: the text waits, and the next record tries again
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
    return Math.floor(this.recordIndex[record]! / severities)
  }

  private severityOf(record: number): number {
    return this.recordIndex[record]! % severities
  }
}

/** More than there are; a power of two, so that a mark is exact. */
const severities = 32

/**
 * V8 keeps what was concatenated as a tree, and reads it when it is encoded. A tree of 64 KiB would cost the call that closes
 * the chunk some 60 µs; one of this length costs each 100th call 15 µs, and keeps less alive.
 */
export const pieceLength = 16_384

const unknownSeverity = -1
