import type { LongLine } from '../encode/json/long-line.ts'
import { BatchBuffer, type ByteBuffers, type RecordOwner } from './batch-buffer.ts'

/**
 * A batch of one record that is too long to be escaped in the log call. Until it is written, it uses the memory of the logged
 * strings, and then at most one piece more: a reader of `pieces` never holds the whole record.
 */
export class LongRecordBuffer extends BatchBuffer {
  private readonly line: LongLine
  private readonly severity: number
  private whole: Uint8Array | undefined

  constructor(sequence: number, line: LongLine, severity: number, owner: RecordOwner, buffers: ByteBuffers) {
    super(sequence, buffers)
    this.line = line
    this.severity = severity
    this.add('', severity, owner)
  }

  override get heldBytes(): number {
    return this.count === 0 ? 0 : this.line.length
  }

  override get byteLength(): number {
    return this.bytes().length
  }

  /** Returns the complete line, for exporters that do not use `pieces`. */
  override bytes(): Uint8Array {
    return (this.whole ??= this.buffers.encode(this.line.text()))
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

  override shift(_bytes: number, dropped: (owner: RecordOwner, severity: number) => void): number {
    const held = this.heldBytes
    this.each(0, this.count, dropped)
    this.first = this.total
    return held
  }

  override without(_severity: number, dropped: (owner: RecordOwner, severity: number) => void): BatchBuffer {
    this.each(0, this.count, dropped)
    return new BatchBuffer(this.sequence, this.buffers)
  }

  override release(): void {
    this.whole = undefined
  }
}
