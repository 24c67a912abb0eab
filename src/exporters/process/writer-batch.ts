import type { BatchSource, EncodedBatch } from '../../pipeline/exporter.ts'

/**
 * A batch in the writer process. The ends of its records are known only to the parent, so `count`, `recordsIn`, `slice` and the results of
 * exports count bytes. Only `recordsAfter` counts records. `records` returns the whole content as one record.
 */
export class WriterBatch implements EncodedBatch {
  readonly id: number
  readonly count: number
  readonly byteLength: number
  /** How many records the whole batch has in the parent process, also for a slice. */
  private readonly recordCount: number
  private readonly content: Uint8Array

  constructor(id: number, recordCount: number, content: Uint8Array) {
    this.id = id
    this.recordCount = recordCount
    this.content = content
    this.count = this.byteLength = content.length
  }

  bytes(): Uint8Array {
    return this.content
  }

  recordsIn(byteCount: number): number {
    return byteCount
  }

  /**
   * Returns how many records are not written if only the first `byteCount` bytes are. It counts lines, so a record of several lines
   * may count more than once. At 0, it returns the number of the whole batch.
   */
  recordsAfter(byteCount: number): number {
    if (byteCount === 0) return this.recordCount
    let lines = 0
    for (
      let newline = this.content.indexOf(10, byteCount);
      newline >= 0;
      newline = this.content.indexOf(10, newline + 1)
    )
      lines++
    return Math.min(lines, this.recordCount)
  }

  text(): string {
    return Buffer.from(this.content).toString()
  }

  records(): readonly { readonly text: string; readonly severity: number }[] {
    return [{ text: this.text(), severity: 0 }]
  }

  slice(from: number, to: number = this.count): EncodedBatch {
    return new WriterBatch(this.id, this.recordCount, this.content.subarray(from, to))
  }

  sources(): readonly BatchSource[] {
    return []
  }
}
