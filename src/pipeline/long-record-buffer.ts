import type { LongLine } from '../encode/json/long-line.ts'
import { BatchBuffer, type ByteBuffers, type RecordOwner } from './batch-buffer.ts'

/**
 * A batch of one record that is too long to be escaped in the log call. Until it is written, it uses only the memory of the logged
 * strings. While `pieces` is read, it uses at most one piece more; `bytes`, `text` and `records` create the whole line.
 */
export class LongRecordBuffer extends BatchBuffer {
  private readonly line: LongLine
  private readonly severity: number
  /** The complete line, cached by `bytes`. */
  private encodedLine: Uint8Array | undefined

  constructor(sequence: number, line: LongLine, severity: number, owner: RecordOwner, buffers: ByteBuffers) {
    super(sequence, buffers)
    this.line = line
    this.severity = severity
    // Only the severity and the owner are stored; `line` has the text.
    this.add('', severity, owner)
  }

  /** In UTF-16 units, because the number of bytes is not known before the line is escaped. */
  override get heldBytes(): number {
    return this.count === 0 ? 0 : this.line.length
  }

  override get byteLength(): number {
    return this.bytes().length
  }

  /** Returns the complete line, for exporters that do not use `pieces`. */
  override bytes(): Uint8Array {
    return (this.encodedLine ??= this.buffers.encode(this.line.text()))
  }

  *pieces(): Generator<Uint8Array, void> {
    for (const piece of this.line.pieces()) {
      const bytes = this.buffers.encode(piece)
      yield bytes
      // A reader that requests the next piece no longer uses this one.
      this.buffers.release(bytes)
    }
  }

  override text(): string {
    return this.line.text()
  }

  override records(): { readonly text: string; readonly severity: number }[] {
    return this.count === 0 ? [] : [{ text: this.text(), severity: this.severity }]
  }

  override offsetOf(record: number): number {
    return record === 0 ? 0 : this.byteLength
  }

  override recordsIn(byteCount: number): number {
    return byteCount < this.byteLength ? 0 : this.count
  }

  /** Drops the one record, however few bytes are needed. */
  override dropFromFront(_bytes: number, onDropped: (owner: RecordOwner, severity: number) => void): number {
    const heldBefore = this.heldBytes
    this.forEachRecord(0, this.count, onDropped)
    this.droppedCount = this.addedCount
    return heldBefore
  }

  /** Nothing remains, because the one record has that severity. */
  override copyWithout(_severity: number, onDropped: (owner: RecordOwner, severity: number) => void): BatchBuffer {
    this.forEachRecord(0, this.count, onDropped)
    return new BatchBuffer(this.sequence, this.buffers)
  }

  override release(): void {
    this.encodedLine = undefined
  }
}
