import { decodeOtlpJson } from '../../encode/otlp/otlp-decode.ts'
import { otlpEncoding } from '../../encode/otlp/otlp-request.ts'
import { deliveryOf } from '../../exporters/exporter-options.ts'
import { untraced } from '../../exporters/otlp/untraced.ts'
import { realTiming } from '../../exporters/retry/retry.ts'
import { retrying } from '../../exporters/retry/retrying.ts'
import type { Delivery, EncodedBatch, Exporter, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import { isThenable } from '../../pipeline/guarded-exporter.ts'
import { Connections } from './foreign-exporter-connections.ts'
import { failureOf } from './foreign-exporter-failure.ts'
import { writesJson } from './foreign-exporter-numbers.ts'
import {
  batchDefaults,
  claimSdkExporter,
  type SdkExporterOptions,
  type OtelLogRecordExporter,
} from './foreign-exporter-options.ts'
import { TimeLimit } from './foreign-exporter-time-limit.ts'
import { readableRecords } from './readable-records.ts'
import type { OtelExportResult } from '../api/types.ts'
import { member } from '../../options/own-members.ts'

/**
 * Makes an exporter for pipelines of this package of one of OpenTelemetry's. Records wait as finished text; a batch becomes
 * records when it is exported. Records that came from an SDK have the scope and the resource that they had there.
 *
 * Its `export` is called with one batch at a time (PRO6), and with no other before it has called back: nobody can stop it. A
 * batch that it has not answered in time counts as `unknown`. What it says has failed is lost, unless it may be tried again.
 *
 * Delivery: 2,048 records may wait (`maxQueueSize`), 512 are a batch (`maxExportBatchSize`), after 1,000 ms
 * (`scheduledDelayMillis`) or when it is full, with 30,000 ms for an answer (`exportTimeoutMillis`; 0: no limit) (BLR1). It
 * needs the event loop: a natural end of the process waits for it for `exitTimeoutMillis` at most, and `process.exit()` drops what
 * is queued and reports it. A batch that is in flight at the end counts as `unknown`, unless its connections were all refused.
 *
 * @throws ConfigurationError when the options are wrong.
 */
export function fromLogRecordExporter(exporter: OtelLogRecordExporter, options: SdkExporterOptions = {}): Exporter {
  const own = claimSdkExporter(exporter, options)
  const foreign = new ForeignExporter(exporter, own)
  return own.retry === false ? foreign : retrying(foreign, own.retry ?? {}, realTiming)
}

/** What gRPC servers take at once unless they are told otherwise, in bytes. */
const mostBytes = 4 * 1024 * 1024

class ForeignExporter implements Exporter {
  readonly name: string
  readonly encoding = otlpEncoding('http/json')
  readonly schedule: Exporter['schedule']
  readonly delivery: Delivery
  readonly batchBytes = mostBytes
  private readonly exporter: OtelLogRecordExporter
  private readonly numbers: 'double' | 'json'
  private readonly timeoutMillis: number
  private host: ExporterHost | undefined
  private alive = false
  private limit: TimeLimit | undefined
  /** The call whose answer nobody has had, and what it was given. */
  private call:
    | { readonly batch: EncodedBatch; readonly answered: Promise<ExportResult>; readonly connections: Connections }
    | undefined

  constructor(exporter: OtelLogRecordExporter, options: SdkExporterOptions) {
    this.exporter = exporter
    this.name = options.name ?? classNameOf(exporter)
    this.numbers = options.numbers ?? (writesJson(exporter) ? 'json' : 'double')
    const { scheduledDelayMillis, exportTimeoutMillis, ...delivery } = { ...batchDefaults, ...deliveryOf(options) }
    this.schedule = { delayMillis: scheduledDelayMillis }
    this.timeoutMillis = exportTimeoutMillis
    const maxExportBatchSize = Math.min(delivery.maxExportBatchSize, delivery.maxQueueSize)
    // The pipeline would give the batch up, where here it is only this call that has taken too long.
    this.delivery = { ...delivery, maxExportBatchSize, exportTimeoutMillis: 0 }
  }

  start(host: ExporterHost): void {
    this.host = host
  }

  async export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    const limit = new TimeLimit(this.timeoutMillis, signal, this.alive)
    this.limit = limit
    try {
      // After a timeout the call goes on: whoever tries its batch again waits for it once more, others until it is over.
      if (this.call !== undefined && this.call.batch !== batch) {
        await Promise.race([this.call.answered, limit.over])
        if (limit.isOver) return this.timedOut({ status: 'retryable', accepted: 0 })
        this.call = undefined
      }
      this.call ??= this.begin(batch)
      const result = await Promise.race([this.call.answered, limit.over])
      if (result === undefined) return this.timedOut(this.abandon())
      this.call = undefined
      return result
    } finally {
      limit.end()
    }
  }

  keepAlive(alive: boolean): void {
    this.alive = alive
    this.limit?.keepAlive(alive)
  }

  async flush(): Promise<void> {
    await member(this.exporter, 'forceFlush')?.call(this.exporter)
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown()
  }

  /** Without an answer a batch may have arrived, unless no connection was ever made. */
  abandon(): ExportResult {
    const notSent = this.call === undefined || this.call.connections.allFailed
    return { status: notSent ? 'retryable' : 'unknown', accepted: 0 }
  }

  private begin(batch: EncodedBatch): NonNullable<ForeignExporter['call']> {
    const connections = new Connections()
    return { batch, connections, answered: this.send(batch, connections) }
  }

  private async send(batch: EncodedBatch, connections: Connections): Promise<ExportResult> {
    try {
      return this.resultOf(await this.delivered(batch, connections))
    } finally {
      connections.end()
    }
  }

  /** Never rejects, and answers once. */
  private delivered(batch: EncodedBatch, connections: Connections): Promise<OtelExportResult> {
    return new Promise((resolve) => {
      const failed = (error: unknown): void => resolve({ code: 1, error: error as Error })
      try {
        const records = readableRecords(decodeOtlpJson(batch.text(), this.numbers), batch.sources())
        connections.observe(() => {
          // An exporter written as an async function calls back all the same, unless its promise rejects.
          const returned: unknown = untraced(() => this.exporter.export(records, resolve))
          if (isThenable(returned)) Promise.resolve(returned).catch(failed)
        })
      } catch (error) {
        failed(error)
      }
    })
  }

  private resultOf(answer: OtelExportResult | undefined): ExportResult {
    if (answer?.code === 0) return { status: 'accepted' }
    const { result, cause } = failureOf(answer && member(answer, 'error'))
    this.host?.reportDiagnostic('SLUICE_EXPORT_FAILED', `${this.name} did not deliver a batch (${cause})`)
    return result
  }

  private timedOut(result: ExportResult): ExportResult {
    this.host?.reportDiagnostic('SLUICE_EXPORT_TIMEOUT', `${this.name} gave no answer in time`)
    return result
  }
}

function classNameOf({ constructor }: object): string {
  const name: unknown = constructor?.name
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'LogRecordExporter'
}
