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
  private readonly whole: Sliceable
  private readonly from: number
  private readonly start: number

  /** Creates a view of the records from index `from` up to, but not including, `to`. */
  constructor(whole: Sliceable, from: number, to: number) {
    this.whole = whole
    this.from = from
    this.count = to - from
    this.start = whole.offsetOf(from)
    this.byteLength = whole.offsetOf(to) - this.start
  }

  bytes(): Uint8Array {
    return this.whole.bytes().subarray(this.start, this.start + this.byteLength)
  }

  text(): string {
    return this.records()
      .map(({ text }) => text)
      .join('')
  }

  records(): readonly { readonly text: string; readonly severity: number }[] {
    return this.whole.records().slice(this.from, this.from + this.count)
  }

  recordsIn(byteCount: number): number {
    return Math.max(0, Math.min(this.count, this.whole.recordsIn(this.start + byteCount) - this.from))
  }

  slice(from: number, to: number = this.count): EncodedBatch {
    return this.whole.slice(this.from + from, this.from + to)
  }

  sources(): readonly BatchSource[] {
    const sources: BatchSource[] = []
    let record = 0
    const end = this.from + this.count
    for (const { scope, resource, count } of this.whole.sources()) {
      const first = Math.max(record, this.from)
      const last = Math.min((record += count), end)
      if (last <= first) continue
      const byteLength = this.whole.offsetOf(last) - this.whole.offsetOf(first)
      sources.push({ scope, resource, count: last - first, byteLength })
    }
    return sources
  }
}
