import type { BatchSource, EncodedBatch } from '../../pipeline/exporter.ts'
import { copyBatch } from './lines.ts'

/** The batch that a `DetachableBatch` and its slices read, so that `detach` replaces it for all of them. */
interface SharedBatch {
  batch: EncodedBatch
}

/**
 * A batch that a destination may still read after the queue has reclaimed the bytes of its own batch: `bytes()` returns copies, and
 * `detach`, which is called before the queue reclaims them, replaces the queue's batch with a copy.
 */
export class DetachableBatch implements EncodedBatch {
  readonly count: number
  private readonly shared: SharedBatch
  private readonly from: number

  constructor(shared: SharedBatch, from: number = 0, to: number = shared.batch.count) {
    this.shared = shared
    this.from = from
    this.count = to - from
  }

  get byteLength(): number {
    return this.part.byteLength
  }

  bytes(): Uint8Array {
    // `Buffer.prototype.slice` would not copy.
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
    return new DetachableBatch(this.shared, this.from + from, this.from + to)
  }

  sources(): readonly BatchSource[] {
    return this.part.sources()
  }

  /** Copies the queue's batch, which is not read afterwards. */
  detach(): void {
    this.shared.batch = copyBatch(this.shared.batch)
  }

  /** The records of this batch, as a slice of the shared one. */
  private get part(): EncodedBatch {
    const { batch } = this.shared
    return this.count === batch.count ? batch : batch.slice(this.from, this.from + this.count)
  }
}
