import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../../src/pipeline/exporter.ts'

type Settings = Partial<Pick<Exporter, 'schedule' | 'destination' | 'encoding' | 'name'>> & {
  readonly delivery?: Delivery
}

/** What all doubles do: keep what they take, and see how they are treated. */
abstract class Double implements Exporter {
  readonly name: string
  readonly encoding: Exporter['encoding']
  readonly schedule: Exporter['schedule']
  readonly delivery: Delivery
  readonly destination: Exporter['destination']
  /** The texts of the records that were taken, in order. */
  readonly taken: string[] = []
  /** How many records each call of `export` brought. */
  readonly batches: number[] = []
  flushes = 0
  shutdowns = 0
  /** What `keepAlive` was told last. */
  keptAlive: boolean | undefined

  constructor({
    name = 'double',
    schedule = 'turn',
    delivery = {},
    destination,
    encoding = jsonLines(),
  }: Settings = {}) {
    this.name = name
    this.schedule = schedule
    this.delivery = delivery
    this.destination = destination
    this.encoding = encoding
  }

  abstract export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult>

  keepAlive(alive: boolean): void {
    this.keptAlive = alive
  }

  async flush(): Promise<void> {
    this.flushes++
  }

  async shutdown(): Promise<void> {
    this.shutdowns++
  }

  /** What was taken, parsed. */
  lines(): any[] {
    return this.taken.map((text) => JSON.parse(text))
  }

  protected take(batch: EncodedBatch, count: number = batch.count): ExportResult {
    for (const { text } of batch.records().slice(0, count)) this.taken.push(text)
    return { status: 'accepted' }
  }
}

/** Takes everything at once. */
export class TakingExporter extends Double {
  /** Called with each batch before it is taken. */
  onExport: (batch: EncodedBatch) => void = () => {}

  export(batch: EncodedBatch): ExportResult {
    this.batches.push(batch.count)
    this.onExport(batch)
    return this.take(batch)
  }

  exportSync(batch: EncodedBatch): ExportResult {
    return this.export(batch)
  }
}

/** Answers when the test says so. It cannot write without the event loop. */
export class StallingExporter extends Double {
  readonly signals: (AbortSignal | undefined)[] = []
  pending: { readonly batch: EncodedBatch; readonly resolve: (result: ExportResult) => void } | undefined
  /** Whether it was called while a batch was unanswered. */
  overlapped = false

  export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    this.overlapped ||= this.pending !== undefined
    this.batches.push(batch.count)
    this.signals.push(signal)
    return new Promise((resolve) => (this.pending = { batch, resolve }))
  }

  /** Answers for the batch at hand; without a result it takes the batch. */
  answer(result?: ExportResult): void {
    const { batch, resolve } = this.pending!
    this.pending = undefined
    if (result === undefined) this.take(batch)
    else if (result.status !== 'accepted') this.take(batch, result.accepted)
    resolve(result ?? { status: 'accepted' })
  }
}

/** A destination with a buffer of so many records: what it does not take now, it takes when `room` is made. */
export class NarrowExporter extends Double {
  /** How many more records it takes. */
  room = 0
  /** Called while it waits in `exportSync`: time passes, and a reader may make room. */
  onWait: (deadline: number) => void = () => {}
  /** It fails without waiting for a reader. */
  failsSoon = false
  private job: { readonly batch: EncodedBatch; done: number } | undefined
  private pending: ((result: ExportResult) => void) | undefined
  /** Whether a batch that was begun did not come again. */
  forsaken = false

  export(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    this.batches.push(batch.count)
    const result = this.write(batch)
    return result ?? new Promise((resolve) => (this.pending = resolve))
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    let result = this.write(batch)
    if (result === undefined && !this.failsSoon) {
      this.onWait(deadline)
      result = this.write(batch)
    }
    if (result === undefined) {
      const accepted = this.job!.done
      if (final) this.job = undefined
      return { status: 'retryable', accepted }
    }
    this.pending?.(result)
    this.pending = undefined
    return result
  }

  /** The reader reads. */
  makeRoom(records: number): void {
    this.room += records
    const resolve = this.pending
    if (resolve === undefined || this.job === undefined) return
    const result = this.write(this.job.batch)
    if (result === undefined) return
    this.pending = undefined
    resolve(result)
  }

  private write(batch: EncodedBatch): ExportResult | undefined {
    if (this.job !== undefined && this.job.batch !== batch && this.job.done > 0) this.forsaken = true
    if (this.job?.batch !== batch) this.job = { batch, done: 0 }
    const now = Math.min(this.room, batch.count - this.job.done)
    for (const { text } of batch.records().slice(this.job.done, this.job.done + now)) this.taken.push(text)
    this.job.done += now
    this.room -= now
    if (this.job.done < batch.count) return undefined
    this.job = undefined
    return { status: 'accepted' }
  }
}

/** Answers each batch with what the test last set; functions run, and may throw. */
export class AnsweringExporter extends Double {
  answer: () => any = () => ({ status: 'accepted' })

  export(batch: EncodedBatch): any {
    this.batches.push(batch.count)
    const answer = this.answer()
    const result = answer as { readonly status?: string; readonly accepted?: number } | undefined
    if (result?.status !== undefined)
      this.take(batch, result.status === 'accepted' ? batch.count : (result.accepted ?? 0))
    return answer
  }
}
