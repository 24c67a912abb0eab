import type { BatchSource, EncodedBatch } from '../pipeline/exporter.ts'

/** What every part of a lent batch knows of it. */
interface Loan {
  over: boolean
  readonly misused: (how: string) => void
}

/** A batch that notices when it is read after it was given back; then it holds nothing that was logged. */
class BorrowedBatch implements EncodedBatch {
  readonly count: number
  readonly byteLength: number
  private readonly batch: EncodedBatch
  private readonly loan: Loan

  constructor(batch: EncodedBatch, loan: Loan) {
    this.count = batch.count
    this.byteLength = batch.byteLength
    this.batch = batch
    this.loan = loan
  }

  bytes(): Uint8Array {
    return this.isLent('bytes') ? this.batch.bytes() : new Uint8Array(this.byteLength).fill(used)
  }

  text(): string {
    return this.isLent('text') ? this.batch.text() : String.fromCharCode(used).repeat(this.byteLength)
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

  /** Nothing is thrown: where it is read too late, somebody else's timer may be the caller. */
  private isLent(method: string): boolean {
    if (this.loan.over) this.loan.misused(`${method}() of a batch was called after the answer`)
    return !this.loan.over
  }
}

/** What stands in a buffer that was used again. */
const used = 0x23

/**
 * Lends a batch. `takeBack` is to be called when it was answered: from then on its bytes are others, as those of a queue are
 * when the next batch uses them.
 */
export function borrow(
  batch: EncodedBatch,
  misused: (how: string) => void,
): { readonly lent: EncodedBatch; takeBack(): void } {
  const loan = { over: false, misused }
  const bytes = batch.bytes()
  // A Buffer's own slice would be a view.
  const before = new Uint8Array(bytes)
  return {
    lent: new BorrowedBatch(batch, loan),
    takeBack() {
      if (loan.over) return
      if (!before.every((byte, index) => byte === bytes[index])) misused('the bytes of a batch were changed')
      loan.over = true
      bytes.fill(used)
    },
  }
}
