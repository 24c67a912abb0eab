import type { BatchSource, EncodedBatch } from '../../pipeline/exporter.ts'

/**
 * A batch in the writer process, which handles only bytes: each byte counts as a record, so that a result counts the bytes that
 * are written permanently. The parent has the record boundaries.
 */
export class WriterBatch implements EncodedBatch {
  readonly id: number
  readonly count: number
  readonly byteLength: number
  private readonly recordCount: number
  private readonly content: Uint8Array

  /** @param records - How many records the batch has in the parent process. */
  constructor(id: number, records: number, content: Uint8Array) {
    this.id = id
    this.recordCount = records
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
   * Returns how many records are not written if the first `byteCount` bytes are. A record of several lines may count more than
   * once.
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
