import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../../src/pipeline/exporter.ts'

/** How the destination is at the moment. `narrow`: it takes as many records as it has room for, then is waited for. */
export type Mood =
  | 'open'
  | 'narrow'
  | 'fails'
  | 'throws'
  | 'rejects'
  | 'forgets'
  | 'partly rejects'
  | 'partly retryable'
  | 'unsure'

interface Pending {
  readonly batch: EncodedBatch
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * A destination whose mood changes, and that writes down what it really took: the oracle of the ledger. Like a pipe it
 * may take a part of a batch and go on with the rest when the same batch comes again.
 */
export class ErraticExporter implements Exporter {
  readonly name = 'erratic'
  readonly encoding: Exporter['encoding'] = jsonLines()
  readonly schedule: Exporter['schedule']
  readonly delivery: Delivery
  exportSync?: Exporter['exportSync']
  mood: Mood = 'open'
  /** How many records it takes while it is narrow. */
  room = 0
  /** What it took, in order. */
  readonly taken: string[] = []
  /** What it took after it had been given up. */
  readonly takenLate: string[] = []
  /** How many records it said it did not take, or did not know of: these must be in the ledger as such. */
  readonly faults: string[] = []
  pending: Pending | undefined
  private job: { readonly batch: EncodedBatch; done: number } | undefined
  private closed = false
  private readonly wait: (deadline: number) => void

  /** `wait` lets time pass until a deadline. */
  constructor(schedule: Exporter['schedule'], delivery: Delivery, sync: boolean, wait: (deadline: number) => void) {
    this.schedule = schedule
    this.delivery = delivery
    this.wait = wait
    if (sync) this.exportSync = (batch, deadline, final) => this.writeSync(batch, deadline, final)
  }

  export(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    if (this.closed) this.faults.push('exported after shutdown')
    if (this.pending !== undefined) this.faults.push('exports overlap')
    const result = this.write(batch)
    if (result?.status === 'retryable') this.job = undefined
    if (this.mood === 'throws') throw new Error('secret')
    if (this.mood === 'rejects') return Promise.reject(new Error('secret'))
    if (this.mood === 'forgets') return undefined as unknown as ExportResult
    if (result !== undefined) return result
    return new Promise((resolve, reject) => (this.pending = { batch, resolve: resolve as Pending['resolve'], reject }))
  }

  /** The reader makes room, or the destination comes to an answer by its new mood. */
  wake(): void {
    const { pending } = this
    if (pending === undefined) return
    if (this.job?.batch !== pending.batch) {
      // Given up, or answered without the event loop: what it takes now, it takes late.
      const rest = pending.batch.records().filter(({ text }) => !this.taken.includes(text))
      if (this.mood === 'open') for (const { text } of rest) this.takenLate.push(text)
      this.pending = undefined
      return pending.resolve({ status: 'accepted' })
    }
    const result = this.write(pending.batch)
    if (result?.status === 'retryable') this.job = undefined
    if (result === undefined && (this.mood === 'narrow' || this.mood === 'open')) return
    this.pending = undefined
    if (result === undefined) this.disown()
    if (this.mood === 'throws' || this.mood === 'rejects') pending.reject(new Error('secret'))
    else pending.resolve(result)
  }

  async shutdown(): Promise<void> {
    this.closed = true
  }

  private writeSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    if (this.closed) this.faults.push('exported after shutdown')
    if (this.pending !== undefined && this.job !== undefined && this.job.batch !== batch) {
      this.faults.push('another batch came while one is unanswered')
    }
    let result = this.write(batch)
    if (this.mood === 'throws' || this.mood === 'rejects') throw new Error('secret')
    if (this.mood === 'forgets') return undefined as unknown as ExportResult
    if (result === undefined) {
      this.wait(deadline)
      result = this.write(batch)
    }
    if (result !== undefined && result.status !== 'retryable') return this.answerPending(result)
    const { done } = this.job!
    if (!final) return { status: 'retryable', accepted: done }
    this.job = undefined
    return this.answerPending({ status: 'retryable', accepted: done })
  }

  private answerPending(result: ExportResult): ExportResult {
    this.pending?.resolve(result)
    this.pending = undefined
    return result
  }

  /** Takes what it takes. Returns undefined where it must be waited for, and where the mood is no answer. */
  private write(batch: EncodedBatch): ExportResult | undefined {
    if (this.job !== undefined && this.job.batch !== batch && this.job.done > 0)
      this.faults.push('a begun batch did not come again')
    if (this.job?.batch !== batch) this.job = { batch, done: 0 }
    const { job } = this
    const half = Math.max(job.done, Math.floor(batch.count / 2))
    switch (this.mood) {
      case 'open':
        this.takeUpTo(batch.count)
        return this.end({ status: 'accepted' })
      case 'narrow': {
        const now = Math.min(this.room, batch.count - job.done)
        this.room -= now
        this.takeUpTo(job.done + now)
        return job.done === batch.count ? this.end({ status: 'accepted' }) : undefined
      }
      case 'partly rejects':
        this.takeUpTo(half)
        return this.end({ status: 'rejected', accepted: half, reason: 'rejected' })
      case 'partly retryable':
        this.takeUpTo(half)
        return { status: 'retryable', accepted: job.done }
      case 'unsure':
        this.takeUpTo(half)
        return this.end({ status: 'unknown', accepted: half })
      case 'fails':
        return this.end({ status: 'rejected', accepted: job.done, reason: 'io_error' })
      default:
        // Its answer will say nothing of what it took; only where `export` is unanswered, that can still say it.
        if (this.pending === undefined) this.disown()
        return undefined
    }
  }

  /** Records it took of batches for which it then gave no answer that can be counted. */
  disowned = 0

  private disown(): void {
    this.disowned += this.job?.done ?? 0
    this.job = undefined
  }

  private takeUpTo(count: number): void {
    const { batch, done } = this.job!
    for (const { text } of batch.records().slice(done, count)) this.taken.push(text)
    this.job!.done = Math.max(done, count)
  }

  private end(result: ExportResult): ExportResult {
    this.job = undefined
    return result
  }
}
