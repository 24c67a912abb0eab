import { decodeOtlpJson } from '../../encode/otlp/otlp-decode.ts'
import { otlpEncoding } from '../../encode/otlp/otlp-request.ts'
import { pickDeliveryOptions } from '../../exporters/exporter-options.ts'
import { withTracingSuppressed } from '../../exporters/otlp/tracing-suppression.ts'
import { nodeTiming } from '../../exporters/retry/retry.ts'
import { withRetry } from '../../exporters/retry/with-retry.ts'
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
import { toReadableRecords } from './readable-records.ts'
import type { OtelExportResult } from '../api/types.ts'
import { member } from '../../options/own-members.ts'

/**
 * Adapts a LogRecordExporter of an OpenTelemetry SDK to an exporter of this package. Records are queued in serialized form, and a
 * batch is converted to SDK records when it is exported. Records from an SDK keep their original scope and resource.
 *
 * The exporter's `export` is called with one batch at a time, and not again before it has called back, because a call cannot be
 * canceled. A batch without a result in time counts as `unknown`. A failed batch is lost, unless the failure is retryable.
 *
 * The defaults are those of OpenTelemetry's batch processor: a queue of 2,048 records (`maxQueueSize`) and batches of 512 records
 * (`maxExportBatchSize`), exported when full or after 1,000 ms (`scheduledDelayMillis`), with a timeout of 30,000 ms
 * (`exportTimeoutMillis`; 0 means no limit). The exporter needs the event loop: a natural exit of the process waits for it for
 * `exitTimeoutMillis` at most, and `process.exit()` drops and reports queued records. A batch in flight at exit counts as
 * `unknown`, unless all its connections were refused.
 *
 * @param exporter - the exporter of the SDK; it can be adapted only once
 * @param options - delivery and retry options
 * @throws ConfigurationError when the options are invalid or the exporter is already in use.
 */
export function fromLogRecordExporter(exporter: OtelLogRecordExporter, options: SdkExporterOptions = {}): Exporter {
  const checkedOptions = claimSdkExporter(exporter, options)
  const foreign = new ForeignExporter(exporter, checkedOptions)
  return checkedOptions.retry === false ? foreign : withRetry(foreign, checkedOptions.retry ?? {}, nodeTiming)
}

/** The default message size limit of gRPC servers, in bytes. */
const maxBatchBytes = 4 * 1024 * 1024

class ForeignExporter implements Exporter {
  readonly name: string
  readonly encoding = otlpEncoding('http/json')
  readonly schedule: Exporter['schedule']
  readonly delivery: Delivery
  readonly batchBytes = maxBatchBytes
  private readonly exporter: OtelLogRecordExporter
  private readonly numbers: 'double' | 'json'
  private readonly timeoutMillis: number
  private host: ExporterHost | undefined
  /** Whether the process stays alive until the time limit of a call. */
  private keepsProcessAlive = false
  private timeLimit: TimeLimit | undefined
  /** The call of the SDK exporter whose result was not returned yet. It may have timed out. */
  private call:
    | { readonly batch: EncodedBatch; readonly result: Promise<ExportResult>; readonly connections: Connections }
    | undefined

  constructor(exporter: OtelLogRecordExporter, options: SdkExporterOptions) {
    this.exporter = exporter
    this.name = options.name ?? classNameOf(exporter)
    this.numbers = options.numbers ?? (writesJson(exporter) ? 'json' : 'double')
    const { scheduledDelayMillis, exportTimeoutMillis, ...delivery } = {
      ...batchDefaults,
      ...pickDeliveryOptions(options),
    }
    this.schedule = { delayMillis: scheduledDelayMillis }
    this.timeoutMillis = exportTimeoutMillis
    const maxExportBatchSize = Math.min(delivery.maxExportBatchSize, delivery.maxQueueSize)
    // Disable the pipeline's timeout, which would abandon the batch; the timeout applies to each call here.
    this.delivery = { ...delivery, maxExportBatchSize, exportTimeoutMillis: 0 }
  }

  start(host: ExporterHost): void {
    this.host = host
  }

  async export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    const timeLimit = new TimeLimit(this.timeoutMillis, signal, this.keepsProcessAlive)
    this.timeLimit = timeLimit
    try {
      // A call continues after its timeout. A retry of its batch waits for its result again; another batch waits until it has ended.
      if (this.call !== undefined && this.call.batch !== batch) {
        await Promise.race([this.call.result, timeLimit.whenOver])
        if (timeLimit.isOver) return this.timedOut({ status: 'retryable', accepted: 0 })
        this.call = undefined
      }
      this.call ??= this.begin(batch)
      const result = await Promise.race([this.call.result, timeLimit.whenOver])
      if (result === undefined) return this.timedOut(this.abandon())
      this.call = undefined
      return result
    } finally {
      timeLimit.end()
    }
  }

  keepAlive(alive: boolean): void {
    this.keepsProcessAlive = alive
    this.timeLimit?.keepAlive(alive)
  }

  async flush(): Promise<void> {
    await member(this.exporter, 'forceFlush')?.call(this.exporter)
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown()
  }

  /** Returns the result of a batch without a response: it may have arrived, unless no connection was established. */
  abandon(): ExportResult {
    const isNotSent = this.call === undefined || this.call.connections.isNothingSent
    return { status: isNotSent ? 'retryable' : 'unknown', accepted: 0 }
  }

  private begin(batch: EncodedBatch): NonNullable<ForeignExporter['call']> {
    const connections = new Connections()
    return { batch, connections, result: this.send(batch, connections) }
  }

  private async send(batch: EncodedBatch, connections: Connections): Promise<ExportResult> {
    try {
      return this.resultOf(await this.callExporter(batch, connections))
    } finally {
      connections.end()
    }
  }

  /** Calls `export` of the SDK exporter. Never rejects. If the exporter calls back several times, the first result counts. */
  private callExporter(batch: EncodedBatch, connections: Connections): Promise<OtelExportResult> {
    return new Promise((resolve) => {
      const failed = (error: unknown): void => resolve({ code: 1, error: error as Error })
      try {
        const records = toReadableRecords(decodeOtlpJson(batch.text(), this.numbers), batch.sources())
        connections.observe(() => {
          // An `export` that is an async function calls back too, unless its promise rejects.
          const returned: unknown = withTracingSuppressed(() => this.exporter.export(records, resolve))
          if (isThenable(returned)) Promise.resolve(returned).catch(failed)
        })
      } catch (error) {
        failed(error)
      }
    })
  }

  private resultOf(sdkResult: OtelExportResult | undefined): ExportResult {
    if (sdkResult?.code === 0) return { status: 'accepted' }
    const { result, cause } = failureOf(sdkResult && member(sdkResult, 'error'))
    this.host?.reportDiagnostic('SLUICE_EXPORT_FAILED', `${this.name} did not deliver a batch (${cause})`)
    return result
  }

  /** Reports that a batch has timed out, and returns its result. */
  private timedOut(result: ExportResult): ExportResult {
    this.host?.reportDiagnostic('SLUICE_EXPORT_TIMEOUT', `${this.name} did not return a result in time`)
    return result
  }
}

function classNameOf({ constructor }: object): string {
  const name: unknown = constructor?.name
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'LogRecordExporter'
}
