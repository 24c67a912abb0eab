import type { InstrumentationSource } from '../record/instrumentation-source.ts'
import { BatchSlice, type Sliceable } from './batch-slice.ts'
import { toByteEnds } from './byte-ends.ts'
import type { BatchSource, EncodedBatch } from './exporter.ts'
import type { Counters } from './counters.ts'

/**
 * The logger and exporter that queued records are counted for. Owners are compared by identity, and consecutive records of one
 * owner share one entry of a batch buffer's `ownerRuns`.
 */
export class RecordOwner {
  /** The counters that count the records. */
  readonly counters: Counters
  /** Scope and resource, for encodings that do not write them in each record. */
  readonly source: InstrumentationSource
  /**
   * For an owner of the same logger with another scope or resource: the logger's original owner. When that is garbage collected, the
   * logger is detached from the pipeline, so it must stay reachable while records of this owner are queued.
   */
  readonly retainedObject: object | undefined
  /** Called each time that records of this owner have left the queue. `mayHaveArrived`: the destination has them, or may have. */
  readonly onLeftQueue: ((mayHaveArrived: boolean) => void) | undefined

  constructor(
    counters: Counters,
    source: InstrumentationSource,
    retainedObject?: object,
    onLeftQueue?: (mayHaveArrived: boolean) => void,
  ) {
    this.counters = counters
    this.source = source
    this.retainedObject = retainedObject
    this.onLeftQueue = onLeftQueue
  }
}

/**
 * An encoder of text as bytes, which can reuse released byte buffers. Injected, because this layer does not use Node's `Buffer`.
 */
export interface ByteBuffers {
  /** Returns the bytes of a text. */
  encode(text: string): Uint8Array
  /** Returns the text of bytes that were encoded here. */
  decode(bytes: Uint8Array): string
  /**
   * Appends the bytes of a text to `open`, or to a new buffer if `open` is undefined. The caller never splits a character between
   * two texts.
   */
  append(open: OpenBytes | undefined, text: string): OpenBytes
  /** Returns the bytes that were appended. `open` must not be used afterwards. */
  finish(open: OpenBytes): Uint8Array
  /** Releases bytes that were returned here, so that their memory can be reused. Nothing may read them afterwards. */
  release(bytes: Uint8Array): void
}

/** A byte buffer that can be appended to. */
export interface OpenBytes {
  bytes: Uint8Array
  /** How many of the bytes are used. */
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
 * its parts, which costs the garbage collector five times as much as the bytes.
 */
export class BatchBuffer implements Sliceable {
  /** The sequence number of the buffer: its position in the queue. Each new buffer of a queue has the next number. */
  readonly sequence: number
  /** The value of `minSeverity`, or `unknownSeverity` if it must be computed again. */
  private cachedMinSeverity = 255
  /** The number of records that were added, including those that were dropped later. */
  addedCount = 0
  /** The number of records that were dropped from the front. */
  protected droppedCount = 0
  /**
   * The length of the open text in UTF-16 units, 0 once the buffer is closed. It is at least a third of the length in bytes, and
   * equal to it for ASCII.
   */
  openLength = 0
  /** The end of the open text, which is not encoded yet. */
  private unencodedText = ''
  /** The bytes of the open text before `unencodedText`. */
  private encodedFront: OpenBytes | undefined
  protected readonly buffers: ByteBuffers
  /** Not a typed array, because V8 requests the memory of one from the system, which takes 15 µs with cold caches. */
  private readonly recordIndex: number[] = []
  /** The owner to whose run the next record can be added. */
  private lastOwner: RecordOwner | undefined
  private readonly ownerRuns: { owner: RecordOwner; readonly from: number }[] = []
  /** The bytes of all added records. Set by `close`. */
  private encodedBytes: Uint8Array | undefined
  /** Where the first record that was not dropped starts in `encodedBytes`. */
  private startByte = 0
  private cachedByteEnds: readonly number[] | undefined

  constructor(sequence: number, buffers: ByteBuffers) {
    this.sequence = sequence
    this.buffers = buffers
  }

  /** The lowest severity of the records; 255 if there are none. */
  get minSeverity(): number {
    if (this.cachedMinSeverity === unknownSeverity) {
      this.cachedMinSeverity = 255
      this.forEachRecord(
        0,
        this.count,
        (_owner, severity) => (this.cachedMinSeverity = Math.min(this.cachedMinSeverity, severity)),
      )
    }
    return this.cachedMinSeverity
  }

  /** The number of records without those that were dropped from the front. */
  get count(): number {
    return this.addedCount - this.droppedCount
  }

  add(text: string, severity: number, owner: RecordOwner): void {
    const index = this.addedCount
    // All calls come before the record is added: a call throws if the stack is exhausted, and then the record must not be counted.
    if (owner !== this.lastOwner) this.ownerRuns.push({ owner, from: index })
    this.lastOwner = owner
    if (this.unencodedText.length >= pieceLength) this.encodeOpenText()
    const end = this.openLength + text.length
    this.recordIndex[index] = end * severityRadix + severity
    this.unencodedText += text
    this.openLength = end
    if (severity < this.cachedMinSeverity) this.cachedMinSeverity = severity
    this.addedCount = index + 1
  }

  /** Encodes the open text that is not encoded yet, if it is long. Called between log calls, so that a log call does not have to. */
  encodeEarly(): void {
    if (this.unencodedText.length >= pieceLength / 2) this.encodeOpenText()
  }

  /** Closes the buffer and encodes the rest of its text. No record may be added afterwards. */
  close(): void {
    const { encodedFront, buffers, unencodedText } = this
    this.encodedBytes =
      encodedFront === undefined
        ? buffers.encode(unencodedText)
        : buffers.finish(buffers.append(encodedFront, unencodedText))
    this.encodedFront = undefined
    this.unencodedText = ''
    this.openLength = 0
  }

  /** The number of bytes that a closed buffer counts toward the limit of the queue. */
  get heldBytes(): number {
    return this.byteLength
  }

  get byteLength(): number {
    return this.encodedBytes!.length - this.startByte
  }

  bytes(): Uint8Array {
    return this.startByte === 0 ? this.encodedBytes! : this.encodedBytes!.subarray(this.startByte)
  }

  text(): string {
    return this.buffers.decode(this.bytes())
  }

  records(): { readonly text: string; readonly severity: number }[] {
    const allText = this.buffers.decode(this.encodedBytes!)
    const records: { text: string; severity: number }[] = []
    for (let i = this.droppedCount; i < this.addedCount; i++) {
      records.push({
        text: allText.slice(i === 0 ? 0 : this.endInUnits(i - 1), this.endInUnits(i)),
        severity: this.severityOf(i),
      })
    }
    return records
  }

  recordsIn(byteCount: number): number {
    const ends = this.byteEnds()
    let count = 0
    while (count < this.count && ends[this.droppedCount + count]! <= this.startByte + byteCount) count++
    return count
  }

  offsetOf(record: number): number {
    if (record === this.count) return this.byteLength
    return record === 0 ? 0 : this.byteEnds()[this.droppedCount + record - 1]! - this.startByte
  }

  slice(from: number, to: number = this.count): EncodedBatch {
    return new BatchSlice(this, from, to)
  }

  sources(): readonly BatchSource[] {
    const sources: BatchSource[] = []
    let record = 0
    this.forEachOwnerRun(0, this.count, ({ source: { scope, resource } }, count) => {
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
   * Drops records from the front of a closed buffer until at least `bytes` bytes are freed or none is left, and calls `onDropped` for
   * each. Returns the number of bytes freed.
   */
  dropFromFront(bytes: number, onDropped: (owner: RecordOwner, severity: number) => void): number {
    const ends = this.byteEnds()
    const startBefore = this.startByte
    let newDroppedCount = this.droppedCount
    while (newDroppedCount < this.addedCount && this.startByte - startBefore < bytes)
      this.startByte = ends[newDroppedCount++]!
    this.forEachRecord(0, newDroppedCount - this.droppedCount, onDropped)
    this.droppedCount = newDroppedCount
    this.cachedMinSeverity = unknownSeverity
    return this.startByte - startBefore
  }

  /** Returns an open copy of a closed buffer without the records of one severity, and calls `onDropped` for each of these. */
  copyWithout(severity: number, onDropped: (owner: RecordOwner, severity: number) => void): BatchBuffer {
    const copy = new BatchBuffer(this.sequence, this.buffers)
    const records = this.records()
    let index = 0
    this.forEachRecord(0, this.count, (owner, recordSeverity) => {
      const { text } = records[index++]!
      if (recordSeverity === severity) onDropped(owner, recordSeverity)
      else copy.add(text, recordSeverity, owner)
    })
    return copy
  }

  /** Assigns the records that are counted in `counters` to another owner. */
  transferOwnership(counters: Counters, newOwner: RecordOwner): void {
    for (const run of this.ownerRuns) if (run.owner.counters === counters) run.owner = newOwner
    // The next record starts a new run, because the last run may no longer belong to its owner.
    this.lastOwner = undefined
  }

  /** Calls `visit` for the records from index `from` up to, but not including, `to`, counted from the front. */
  forEachRecord(from: number, to: number, visit: (owner: RecordOwner, severity: number) => void): void {
    let run = 0
    for (let i = this.droppedCount + from; i < this.droppedCount + to; i++) {
      while (run + 1 < this.ownerRuns.length && this.ownerRuns[run + 1]!.from <= i) run++
      visit(this.ownerRuns[run]!.owner, this.severityOf(i))
    }
  }

  /**
   * Calls `visit` for each run of consecutive records of one owner among the records from index `from` up to, but not including, `to`,
   * with the number of these records.
   */
  forEachOwnerRun(from: number, to: number, visit: (owner: RecordOwner, count: number) => void): void {
    for (let run = 0; run < this.ownerRuns.length; run++) {
      const start = Math.max(this.ownerRuns[run]!.from, this.droppedCount + from)
      // An index past the end could be read from a polluted Object.prototype.
      const next = run + 1 < this.ownerRuns.length ? this.ownerRuns[run + 1]!.from : this.addedCount
      const end = Math.min(next, this.droppedCount + to)
      if (end > start) visit(this.ownerRuns[run]!.owner, end - start)
    }
  }

  /** Releases the bytes for reuse. Nothing may read the buffer afterwards. */
  release(): void {
    if (this.encodedBytes !== undefined) this.buffers.release(this.encodedBytes)
    this.encodedBytes = undefined
  }

  private encodeOpenText(): void {
    try {
      this.encodedFront = this.buffers.append(this.encodedFront, this.unencodedText)
      this.unencodedText = ''
    } catch {
      // Out of memory: the text remains a string, and the next record tries again.
    }
  }

  private byteEnds(): readonly number[] {
    this.cachedByteEnds ??= toByteEnds(
      this.recordIndex.map((_, record) => this.endInUnits(record)),
      this.encodedBytes!,
    )
    return this.cachedByteEnds
  }

  private endInUnits(record: number): number {
    return Math.floor(this.recordIndex[record]! / severityRadix)
  }

  private severityOf(record: number): number {
    return this.recordIndex[record]! % severityRadix
  }
}

/** The factor of the end in `recordIndex`. It is greater than every severity, and a power of two, so that dividing by it is exact. */
const severityRadix = 32

/**
 * The length at which open text is encoded, in UTF-16 units. V8 keeps a concatenated string as a tree, and flattens it when it is
 * encoded. A tree of 64 KiB would cost the call that closes the buffer about 60 µs; a tree of this length costs every 100th call
 * 15 µs and keeps less memory alive.
 */
export const pieceLength = 16_384

const unknownSeverity = -1
