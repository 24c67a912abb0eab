import type { BatchSource, EncodedBatch } from '../../pipeline/exporter.ts'
import { copyOf } from './lines.ts'

/** The batch behind a borrowed batch and its slices. */
interface Lender {
  batch: EncodedBatch
}

/**
 * A batch that a destination may keep for longer than the queue lends it: its bytes are copies, and `detach` replaces the
 * source before the queue reclaims its bytes.
 */
export class BorrowedBatch implements EncodedBatch {
  readonly count: number
  private readonly lender: Lender
  private readonly from: number

  constructor(lender: Lender, from: number = 0, to: number = lender.batch.count) {
    this.lender = lender
    this.from = from
    this.count = to - from
  }

  get byteLength(): number {
    return this.part.byteLength
  }

  bytes(): Uint8Array {
    // A Buffer's own `slice` does not copy.
    return Uint8Array.prototype.slice.call(this.part.bytes())
  }

  text(): string {
    return this.part.text()
  }

  records(): readonly { readonly text: string; readonly severity: number }[] {
    return this.part.records()
  }

  recordsIn(byteCount: number): number {
    return this.part.recordsIn(byteCount)
  }

  slice(from: number, to: number = this.count): EncodedBatch {
    return new BorrowedBatch(this.lender, this.from + from, this.from + to)
  }

  sources(): readonly BatchSource[] {
    return this.part.sources()
  }

  /** Copies the queue's batch, which is not accessed afterwards. */
  detach(): void {
    this.lender.batch = copyOf(this.lender.batch)
  }

  private get part(): EncodedBatch {
    const { batch } = this.lender
    return this.count === batch.count ? batch : batch.slice(this.from, this.from + this.count)
  }
}
