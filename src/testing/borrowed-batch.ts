import type { BatchSource, EncodedBatch } from '../pipeline/exporter.ts'

/** State shared by a borrowed batch and its slices. */
interface BatchOwner {
  over: boolean
  readonly misused: (how: string) => void
}

/** A batch that detects reads after it was returned; from then on it contains no logged data. */
class BorrowedBatch implements EncodedBatch {
  readonly count: number
  readonly byteLength: number
  private readonly batch: EncodedBatch
  private readonly loan: BatchOwner

  constructor(batch: EncodedBatch, loan: BatchOwner) {
    this.count = batch.count
    this.byteLength = batch.byteLength
    this.batch = batch
    this.loan = loan
  }

  bytes(): Uint8Array {
    return this.isLent('bytes') ? this.batch.bytes() : new Uint8Array(this.byteLength).fill(fillByte)
  }

  text(): string {
    return this.isLent('text') ? this.batch.text() : String.fromCharCode(fillByte).repeat(this.byteLength)
  }

  records(): ReturnType<EncodedBatch['records']> {
    return this.isLent('records') ? this.batch.records() : []
  }

  recordsIn(byteCount: number): number {
    return this.isLent('recordsIn') ? this.batch.recordsIn(byteCount) : 0
  }

  slice(from: number, to?: number): EncodedBatch {
    return this.isLent('slice') ? new BorrowedBatch(this.batch.slice(from, to), this.loan) : this
  }

  sources(): readonly BatchSource[] {
    return this.isLent('sources') ? this.batch.sources() : []
  }

  /** Returns whether the batch is still lent. Does not throw, because a late read may happen in a timer of other code. */
  private isLent(method: string): boolean {
    if (this.loan.over) this.loan.misused(`${method}() of a batch was called after its result was returned`)
    return !this.loan.over
  }
}

/** The byte that fills a buffer after the batch was returned, as if the buffer had been reused. */
const fillByte = 0x23

/**
 * Lends a batch. Call `takeBack` when the export result is known: its bytes are then overwritten, like those of a queue that are
 * reused for the next batch.
 */
export function borrow(
  batch: EncodedBatch,
  misused: (how: string) => void,
): { readonly lent: EncodedBatch; takeBack(): void } {
  const loan = { over: false, misused }
  const bytes = batch.bytes()
  // Copy the bytes: a Buffer's own `slice` would return a view.
  const before = new Uint8Array(bytes)
  return {
    lent: new BorrowedBatch(batch, loan),
    takeBack() {
      if (loan.over) return
      if (!before.every((byte, index) => byte === bytes[index])) misused('the bytes of a batch were changed')
      loan.over = true
      bytes.fill(fillByte)
    },
  }
}
