import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../../src/pipeline/exporter.ts'

type Settings = Partial<Pick<Exporter, 'schedule' | 'destination' | 'encoding' | 'name'>> & {
  readonly delivery?: Delivery
}

/** A test exporter that records accepted records and calls. */
abstract class TestExporter implements Exporter {
  readonly name: string
  readonly encoding: Exporter['encoding']
  readonly schedule: Exporter['schedule']
  readonly delivery: Delivery
  readonly destination: Exporter['destination']
  /** The texts of the accepted records, in order. */
  readonly accepted: string[] = []
  /** The number of records of each call of `export`. */
  readonly batches: number[] = []
  flushes = 0
  shutdowns = 0
  /** The last argument of `keepAlive`. */
  isKeptAlive: boolean | undefined

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
    this.isKeptAlive = alive
  }

  async flush(): Promise<void> {
    this.flushes++
  }

  async shutdown(): Promise<void> {
    this.shutdowns++
  }

  /** Returns the accepted records, parsed. */
  lines(): any[] {
    return this.accepted.map((text) => JSON.parse(text))
  }

  protected accept(batch: EncodedBatch, count: number = batch.count): ExportResult {
    for (const { text } of batch.records().slice(0, count)) this.accepted.push(text)
    return { status: 'accepted' }
  }
}

/** Accepts every batch at once. */
export class AcceptingExporter extends TestExporter {
  /** Is called with each batch before it is accepted. */
  onExport: (batch: EncodedBatch) => void = () => {}

  export(batch: EncodedBatch): ExportResult {
    this.batches.push(batch.count)
    this.onExport(batch)
    return this.accept(batch)
  }

  exportSync(batch: EncodedBatch): ExportResult {
    return this.export(batch)
  }
}

/** Settles an export when the test calls `complete`. It has no exportSync. */
export class StallingExporter extends TestExporter {
  readonly signals: (AbortSignal | undefined)[] = []
  pending: { readonly batch: EncodedBatch; readonly resolve: (result: ExportResult) => void } | undefined
  /** Whether `export` was called while another export was pending. */
  hasOverlapped = false

  export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    this.hasOverlapped ||= this.pending !== undefined
    this.batches.push(batch.count)
    this.signals.push(signal)
    return new Promise((resolve) => (this.pending = { batch, resolve }))
  }

  /** Settles the pending export. Without a result it accepts the batch. */
  complete(result?: ExportResult): void {
    const { batch, resolve } = this.pending!
    this.pending = undefined
    if (result === undefined) this.accept(batch)
    else if (result.status !== 'accepted') this.accept(batch, result.accepted)
    resolve(result ?? { status: 'accepted' })
  }
}

/** A destination with limited capacity. An export is pending until `addCapacity` makes space for all of its records. */
export class LimitedExporter extends TestExporter {
  /** The number of records that it can still accept. */
  capacity = 0
  /** Is called while `exportSync` waits: the callback may advance the time or add capacity. */
  onWait: (deadline: number) => void = () => {}
  /** Makes `exportSync` fail without waiting. */
  failsWithoutWaiting = false
  private job: { readonly batch: EncodedBatch; done: number } | undefined
  private pending: ((result: ExportResult) => void) | undefined
  /** Whether a partly accepted batch was not exported again. */
  hasAbandonedBatch = false

  export(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    this.batches.push(batch.count)
    const result = this.write(batch)
    return result ?? new Promise((resolve) => (this.pending = resolve))
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    let result = this.write(batch)
    if (result === undefined && !this.failsWithoutWaiting) {
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

  /** Adds capacity and continues a pending export. */
  addCapacity(records: number): void {
    this.capacity += records
    const resolve = this.pending
    if (resolve === undefined || this.job === undefined) return
    const result = this.write(this.job.batch)
    if (result === undefined) return
    this.pending = undefined
    resolve(result)
  }

  private write(batch: EncodedBatch): ExportResult | undefined {
    if (this.job !== undefined && this.job.batch !== batch && this.job.done > 0) this.hasAbandonedBatch = true
    if (this.job?.batch !== batch) this.job = { batch, done: 0 }
    const now = Math.min(this.capacity, batch.count - this.job.done)
    for (const { text } of batch.records().slice(this.job.done, this.job.done + now)) this.accepted.push(text)
    this.job.done += now
    this.capacity -= now
    if (this.job.done < batch.count) return undefined
    this.job = undefined
    return { status: 'accepted' }
  }
}

/** Returns the result of `respond` for each batch. */
export class ScriptedExporter extends TestExporter {
  respond: () => any = () => ({ status: 'accepted' })

  export(batch: EncodedBatch): any {
    this.batches.push(batch.count)
    const response = this.respond()
    const result = response as { readonly status?: string; readonly accepted?: number } | undefined
    if (result?.status !== undefined)
      this.accept(batch, result.status === 'accepted' ? batch.count : (result.accepted ?? 0))
    return response
  }
}
