import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../../src/pipeline/exporter.ts'

/** The current behavior of the destination. `limited`: it accepts as many records as it has capacity for, and the rest is pending. */
export type Behavior =
  | 'open'
  | 'limited'
  | 'fails'
  | 'throws'
  | 'rejects'
  | 'returns undefined'
  | 'partly rejects'
  | 'partly retryable'
  | 'unknown'

interface Pending {
  readonly batch: EncodedBatch
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * A destination whose behavior changes. It records what it accepted, and so is the oracle for the delivery statistics. Like a pipe
 * it may accept part of a batch and continue with the rest when the same batch is exported again.
 */
export class ErraticExporter implements Exporter {
  readonly name = 'erratic'
  readonly encoding: Exporter['encoding'] = jsonLines()
  readonly schedule: Exporter['schedule']
  readonly delivery: Delivery
  exportSync?: Exporter['exportSync']
  behavior: Behavior = 'open'
  /** The number of records that it accepts while it is `limited`. */
  capacity = 0
  /** The accepted records, in order. */
  readonly accepted: string[] = []
  /** The records that it accepted after their batch was abandoned. */
  readonly acceptedLate: string[] = []
  /** Violations of the exporter contract by the caller. */
  readonly violations: string[] = []
  pending: Pending | undefined
  private job: { readonly batch: EncodedBatch; done: number } | undefined
  private closed = false
  private readonly wait: (deadline: number) => void

  /** @param wait - advances the time to a deadline */
  constructor(schedule: Exporter['schedule'], delivery: Delivery, sync: boolean, wait: (deadline: number) => void) {
    this.schedule = schedule
    this.delivery = delivery
    this.wait = wait
    if (sync) this.exportSync = (batch, deadline, final) => this.writeSync(batch, deadline, final)
  }

  export(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    if (this.closed) this.violations.push('exported after shutdown')
    if (this.pending !== undefined) this.violations.push('exports overlap')
    const result = this.write(batch)
    if (result?.status === 'retryable') this.job = undefined
    if (this.behavior === 'throws') throw new Error('secret')
    if (this.behavior === 'rejects') return Promise.reject(new Error('secret'))
    if (this.behavior === 'returns undefined') return undefined as unknown as ExportResult
    if (result !== undefined) return result
    return new Promise((resolve, reject) => (this.pending = { batch, resolve: resolve as Pending['resolve'], reject }))
  }

  /** Continues a pending export with the current capacity and behavior. */
  wake(): void {
    const { pending } = this
    if (pending === undefined) return
    if (this.job?.batch !== pending.batch) {
      // The batch was abandoned or completed by exportSync, so its records are accepted late.
      const rest = pending.batch.records().filter(({ text }) => !this.accepted.includes(text))
      if (this.behavior === 'open') for (const { text } of rest) this.acceptedLate.push(text)
      this.pending = undefined
      return pending.resolve({ status: 'accepted' })
    }
    const result = this.write(pending.batch)
    if (result?.status === 'retryable') this.job = undefined
    if (result === undefined && (this.behavior === 'limited' || this.behavior === 'open')) return
    this.pending = undefined
    if (result === undefined) this.countWithoutResult()
    if (this.behavior === 'throws' || this.behavior === 'rejects') pending.reject(new Error('secret'))
    else pending.resolve(result)
  }

  async shutdown(): Promise<void> {
    this.closed = true
  }

  private writeSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    if (this.closed) this.violations.push('exported after shutdown')
    if (this.pending !== undefined && this.job !== undefined && this.job.batch !== batch) {
      this.violations.push('another batch was exported while one is pending')
    }
    let result = this.write(batch)
    if (this.behavior === 'throws' || this.behavior === 'rejects') throw new Error('secret')
    if (this.behavior === 'returns undefined') return undefined as unknown as ExportResult
    if (result === undefined) {
      this.wait(deadline)
      result = this.write(batch)
    }
    if (result !== undefined && result.status !== 'retryable') return this.resolvePending(result)
    const { done } = this.job!
    if (!final) return { status: 'retryable', accepted: done }
    this.job = undefined
    return this.resolvePending({ status: 'retryable', accepted: done })
  }

  private resolvePending(result: ExportResult): ExportResult {
    this.pending?.resolve(result)
    this.pending = undefined
    return result
  }

  /** Accepts records. Returns undefined if the export is pending or the behavior has no result. */
  private write(batch: EncodedBatch): ExportResult | undefined {
    if (this.job !== undefined && this.job.batch !== batch && this.job.done > 0)
      this.violations.push('a partly accepted batch was not exported again')
    if (this.job?.batch !== batch) this.job = { batch, done: 0 }
    const { job } = this
    const half = Math.max(job.done, Math.floor(batch.count / 2))
    switch (this.behavior) {
      case 'open':
        this.acceptUpTo(batch.count)
        return this.end({ status: 'accepted' })
      case 'limited': {
        const now = Math.min(this.capacity, batch.count - job.done)
        this.capacity -= now
        this.acceptUpTo(job.done + now)
        return job.done === batch.count ? this.end({ status: 'accepted' }) : undefined
      }
      case 'partly rejects':
        this.acceptUpTo(half)
        return this.end({ status: 'rejected', accepted: half, reason: 'rejected' })
      case 'partly retryable':
        this.acceptUpTo(half)
        return { status: 'retryable', accepted: job.done }
      case 'unknown':
        this.acceptUpTo(half)
        return this.end({ status: 'unknown', accepted: half })
      case 'fails':
        return this.end({ status: 'rejected', accepted: job.done, reason: 'io_error' })
      default:
        // The result will not include the accepted records, unless `export` is pending and can still report them.
        if (this.pending === undefined) this.countWithoutResult()
        return undefined
    }
  }

  /** The number of accepted records of batches without a valid result. */
  acceptedWithoutResult = 0

  private countWithoutResult(): void {
    this.acceptedWithoutResult += this.job?.done ?? 0
    this.job = undefined
  }

  private acceptUpTo(count: number): void {
    const { batch, done } = this.job!
    for (const { text } of batch.records().slice(done, count)) this.accepted.push(text)
    this.job!.done = Math.max(done, count)
  }

  private end(result: ExportResult): ExportResult {
    this.job = undefined
    return result
  }
}
