import type { BatchSource, EncodedBatch } from '../../pipeline/exporter.ts'

/**
 * A batch in the writer process, which knows bytes only: its "records" are bytes, so that an answer counts the bytes that are
 * written for good. The parent knows where records end.
 */
export class WriterBatch implements EncodedBatch {
  readonly id: number
  readonly count: number
  readonly byteLength: number
  private readonly recordCount: number
  private readonly content: Uint8Array

  /** `records`: how many it has in the parent. */
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

  /** How many records are not written if so many bytes are. A record of several lines may count more than once. */
  recordsAfter(byteCount: number): number {
    if (byteCount === 0) return this.recordCount
    let lines = 0
    for (let at = this.content.indexOf(10, byteCount); at >= 0; at = this.content.indexOf(10, at + 1)) lines++
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
