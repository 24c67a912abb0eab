import type { BatchSource, EncodedBatch } from '../pipeline/exporter.ts'

/** The state that a borrowed batch shares with its slices. */
interface ExportCall {
  isOver: boolean
  readonly reportMisuse: (misuse: string) => void
}

/** A batch that reports reads after its export call is over; from then on it contains no logged data. */
class BorrowedBatch implements EncodedBatch {
  readonly count: number
  readonly byteLength: number
  private readonly batch: EncodedBatch
  private readonly exportCall: ExportCall

  constructor(batch: EncodedBatch, exportCall: ExportCall) {
    this.count = batch.count
    this.byteLength = batch.byteLength
    this.batch = batch
    this.exportCall = exportCall
  }

  bytes(): Uint8Array {
    return this.isReadable('bytes') ? this.batch.bytes() : new Uint8Array(this.byteLength).fill(fillByte)
  }

  text(): string {
    return this.isReadable('text') ? this.batch.text() : String.fromCharCode(fillByte).repeat(this.byteLength)
  }

  records(): ReturnType<EncodedBatch['records']> {
    return this.isReadable('records') ? this.batch.records() : []
  }

  recordsIn(byteCount: number): number {
    return this.isReadable('recordsIn') ? this.batch.recordsIn(byteCount) : 0
  }

  slice(from: number, to?: number): EncodedBatch {
    return this.isReadable('slice') ? new BorrowedBatch(this.batch.slice(from, to), this.exportCall) : this
  }

  sources(): readonly BatchSource[] {
    return this.isReadable('sources') ? this.batch.sources() : []
  }

  /** Returns whether the batch may be read. If not, reports it without throwing, because the read may be in a timer of other code. */
  private isReadable(method: string): boolean {
    if (this.exportCall.isOver)
      this.exportCall.reportMisuse(`${method}() of a batch was called after its result was returned`)
    return !this.exportCall.isOver
  }
}

/** The byte that fills a buffer after the export call of the batch is over, as if the buffer had been reused. */
const fillByte = 0x23

/**
 * Lends a batch to an exporter. Call `takeBack` when the export result is known: the bytes of the batch are then overwritten, as
 * when a queue reuses them for the next batch.
 */
export function lendBatch(
  batch: EncodedBatch,
  reportMisuse: (misuse: string) => void,
): { readonly lentBatch: EncodedBatch; takeBack(): void } {
  const exportCall: ExportCall = { isOver: false, reportMisuse }
  const bytes = batch.bytes()
  // Copy the bytes: a Buffer's own `slice` would return a view.
  const before = new Uint8Array(bytes)
  return {
    lentBatch: new BorrowedBatch(batch, exportCall),
    takeBack() {
      if (exportCall.isOver) return
      if (!before.every((byte, index) => byte === bytes[index])) reportMisuse('the bytes of a batch were changed')
      exportCall.isOver = true
      bytes.fill(fillByte)
    },
  }
}
