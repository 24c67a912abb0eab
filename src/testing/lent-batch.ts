import type { BatchSource, EncodedBatch } from '../pipeline/exporter.ts'

/** What every part of a lent batch knows of it. */
interface Loan {
  over: boolean
  readonly misused: (how: string) => void
}

/** A batch that notices when it is read after it was given back. */
export class LentBatch implements EncodedBatch {
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
    return this.lent('bytes').bytes()
  }

  text(): string {
    return this.lent('text').text()
  }

  records(): ReturnType<EncodedBatch['records']> {
    return this.lent('records').records()
  }

  recordsIn(byteCount: number): number {
    return this.lent('recordsIn').recordsIn(byteCount)
  }

  slice(from: number, to?: number): EncodedBatch {
    return new LentBatch(this.lent('slice').slice(from, to), this.loan)
  }

  sources(): readonly BatchSource[] {
    return this.lent('sources').sources()
  }

  private lent(method: string): EncodedBatch {
    if (!this.loan.over) return this.batch
    this.loan.misused(`${method}() of a batch was called after the answer`)
    throw new Error('this batch was answered: it is no longer valid')
  }
}

/**
 * Lends a batch. `takeBack` is to be called when it was answered: from then on its bytes are others, as those of a queue are
 * when the next batch uses them.
 */
export function lend(
  batch: EncodedBatch,
  misused: (how: string) => void,
): { readonly lent: EncodedBatch; takeBack(): void } {
  const loan = { over: false, misused }
  const bytes = batch.bytes()
  // A Buffer's own slice would be a view.
  const before = new Uint8Array(bytes)
  return {
    lent: new LentBatch(batch, loan),
    takeBack() {
      if (loan.over) return
      if (!before.every((byte, index) => byte === bytes[index])) misused('the bytes of a batch were changed')
      loan.over = true
      bytes.fill(0x23)
    },
  }
}
