import type { BatchSource, EncodedBatch } from './exporter.ts'

/** A batch with the byte offset of each record. */
export interface Sliceable extends EncodedBatch {
  /** Returns the byte offset of a record. For the index after the last record, returns the total number of bytes. */
  offsetOf(record: number): number
}

/** A view of consecutive records of a batch, over the same bytes. */
export class BatchSlice implements EncodedBatch {
  readonly count: number
  readonly byteLength: number
  private readonly batch: Sliceable
  private readonly fromRecord: number
  private readonly startByte: number

  /** Creates a view of the records from index `from` up to, but not including, `to`. */
  constructor(batch: Sliceable, from: number, to: number) {
    this.batch = batch
    this.fromRecord = from
    this.count = to - from
    this.startByte = batch.offsetOf(from)
    this.byteLength = batch.offsetOf(to) - this.startByte
  }

  bytes(): Uint8Array {
    return this.batch.bytes().subarray(this.startByte, this.startByte + this.byteLength)
  }

  text(): string {
    return this.records()
      .map(({ text }) => text)
      .join('')
  }

  records(): readonly { readonly text: string; readonly severity: number }[] {
    return this.batch.records().slice(this.fromRecord, this.fromRecord + this.count)
  }

  recordsIn(byteCount: number): number {
    return Math.max(0, Math.min(this.count, this.batch.recordsIn(this.startByte + byteCount) - this.fromRecord))
  }

  slice(from: number, to: number = this.count): EncodedBatch {
    return this.batch.slice(this.fromRecord + from, this.fromRecord + to)
  }

  sources(): readonly BatchSource[] {
    const sources: BatchSource[] = []
    let sourceStart = 0
    const sliceEnd = this.fromRecord + this.count
    for (const { scope, resource, count } of this.batch.sources()) {
      const start = Math.max(sourceStart, this.fromRecord)
      const end = Math.min((sourceStart += count), sliceEnd)
      if (end <= start) continue
      const byteLength = this.batch.offsetOf(end) - this.batch.offsetOf(start)
      sources.push({ scope, resource, count: end - start, byteLength })
    }
    return sources
  }
}
