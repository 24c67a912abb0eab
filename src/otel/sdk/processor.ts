import { deliverySchema, definedOptions as givenOf, throwIfInvalid } from '../../exporters/exporter-options.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import type { FlushResult, Stats } from '../../logger/types.ts'
import { exportersCheck } from '../../pipeline/exporter-checks.ts'
import type { Delivery, Exporter, OnFull } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { anything, checkOptions, type OptionSchema } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { timeoutOf, type LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import type { AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { fromLogRecordExporter } from './foreign-exporter.ts'
import { isForeignExporter, type OtelLogRecordExporter } from './foreign-exporter-options.ts'
import { batchingExporter } from './processor-exporter.ts'
import { openSdkPipeline } from './sdk-pipeline.ts'
import { OwnerRegistry, type SdkRecordAdapter } from './sdk-record-adapter.ts'
import {
  checkExporterLevel,
  checkSdkRecordOptions,
  adapterOptionBags,
  sdkRecordSchema,
  type SdkRecordOptions,
} from './readable-options.ts'
import { ReadableSources } from './readable-sources.ts'
import { shortenWaitForFlush } from '../provider/resource-readiness.ts'
import type { EnabledOptions, OtelContext, ReadableLogRecord } from '../api/types.ts'
import { nodePlatform } from '../../platform/node/platform.ts'
import { member } from '../../options/own-members.ts'

/** Options of `PipelineLogRecordProcessor`. */
export interface PipelineLogRecordProcessorOptions extends SdkRecordOptions, Omit<Delivery, 'level'> {
  /** The exporter that receives the records: one of this package, or one of OpenTelemetry's SDK, of either generation. */
  readonly exporter: Exporter | OtelLogRecordExporter
  /**
   * The maximum number of queued records, those in flight included.
   *
   * @defaultValue the exporter's, else 2,048
   */
  readonly maxQueueSize?: number
  /**
   * The maximum size of queued records in bytes, those in flight included.
   *
   * @defaultValue the exporter's, else 16 MiB
   */
  readonly maxQueueBytes?: number
  /**
   * The maximum number of records in a batch; it is limited to `maxQueueSize`.
   *
   * @defaultValue the exporter's, else 512
   */
  readonly maxExportBatchSize?: number
  /**
   * The maximum time that a record waits for its batch to fill, in ms.
   *
   * @defaultValue the exporter's, else 1,000
   */
  readonly scheduledDelayMillis?: number
  /**
   * The timeout of an export in ms, after which its signal is aborted; 0 means no limit.
   *
   * @defaultValue the exporter's, else 30,000
   */
  readonly exportTimeoutMillis?: number
  /**
   * The overflow policy for a full queue.
   *
   * @defaultValue the exporter's, else `dropNewest`
   */
  readonly onFull?: OnFull
}

/**
 * A batch LogRecordProcessor for the LoggerProvider of an OpenTelemetry SDK, of either generation. A record is serialized and
 * redacted when `onEmit` returns.
 */
export interface PipelineLogRecordProcessor {
  /**
   * Queues a record. Never throws, and does not block unless `onFull` is `block`.
   *
   * @param record - the record of the SDK
   */
  onEmit(record: ReadableLogRecord, context?: OtelContext): void
  /** Returns false when a record with these properties would be filtered by the exporter's level, or after `shutdown`. */
  enabled(options: EnabledOptions): boolean
  /**
   * Exports all records emitted before this call, and flushes the exporter.
   *
   * @param options - `timeoutMillis`, by default 30,000
   * @throws (rejects) with an Error that counts lost and pending records, because the API has no other way to report them.
   */
  forceFlush(options?: { readonly timeoutMillis?: number }): Promise<void>
  /**
   * Flushes and closes the processor. Every call returns the same promise. Later records count as dropped (`shutdown`). Takes at
   * most 30,000 ms.
   *
   * @throws (rejects) as `forceFlush`.
   */
  shutdown(): Promise<void>
  /** Returns the delivery statistics. */
  stats(): Stats
}

/**
 * Creates a PipelineLogRecordProcessor.
 *
 * @throws ConfigurationError that lists all problems of the options. Errors that a custom exporter throws when it is started are
 * propagated.
 */
export const PipelineLogRecordProcessor: new (
  options: PipelineLogRecordProcessorOptions,
) => PipelineLogRecordProcessor = class implements PipelineLogRecordProcessor {
  private readonly attached: AttachedExporter
  private readonly intake: SdkRecordAdapter
  private readonly owners: OwnerRegistry
  private readonly delivery: LoggerDelivery
  private closing: Promise<void> | undefined

  constructor(given: PipelineLogRecordProcessorOptions) {
    const problems: ConfigurationProblem[] = []
    const options = ownOptions(given ?? {}, owner, problems, adapterOptionBags)
    const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, stderrLine, nodePlatform.monotonic)
    checkOptions(options, schema, owner, problems)
    const { rules, exit } = checkSdkRecordOptions(options, owner, reportDiagnostic, problems)
    const chosen = exporterOf(options, problems)
    throwIfInvalid(problems)
    const sources = new ReadableSources(rules.redaction.patterns)
    const { exporter, decorate } = chosen!
    const { attached, adapter, delivery } = openSdkPipeline(exporter, {
      platform: nodePlatform,
      exit,
      reportDiagnostic,
      decorate,
      onFlush: shortenWaitForFlush(sources.resourceWaits),
      rules,
      sources,
      meterProvider: options.meterProvider,
      part: 'processor',
    })
    this.attached = attached
    this.intake = adapter
    this.owners = new OwnerRegistry(attached.target.owner.counters)
    this.delivery = delivery
  }

  onEmit(record: ReadableLogRecord): void {
    this.intake.push(record, this.owners)
  }

  enabled(options: EnabledOptions): boolean {
    if (this.closing !== undefined) return false
    const severity = (options && member(options, 'severityNumber')) ?? 0
    return severity === 0 || severity >= this.attached.target.threshold
  }

  forceFlush(options?: { readonly timeoutMillis?: number }): Promise<void> {
    const timeoutMillis = timeoutOf(options, maxMillis)
    return this.closing ?? this.settle(this.delivery.flush({ timeoutMillis }))
  }

  shutdown(): Promise<void> {
    this.closing ??= this.settle(this.delivery.shutdown({ timeoutMillis: maxMillis }))
    return this.closing
  }

  stats(): Stats {
    return this.delivery.stats()
  }

  /** Rejects with the counts of records lost since this was called. */
  private async settle(end: Promise<FlushResult>): Promise<void> {
    const { counters } = this.owners
    const before = counters.unknown
    const { ok, pending, dropped } = await end
    if (!ok) throw incomplete(dropped, counters.unknown - before, pending)
  }
}

const owner = 'PipelineLogRecordProcessor'
const where = `${owner}.exporter`
/** The default timeout of a flush in ms, which is that of the SDK's LoggerProvider. */
const maxMillis = 30_000

const { level: _, ...batchingSchema } = deliverySchema
const batchingNames = Object.keys(batchingSchema) as (keyof typeof batchingSchema)[]
const namesWithoutTimeout = batchingNames.filter((name) => name !== 'exportTimeoutMillis')
const schema: OptionSchema = { ...sdkRecordSchema, ...batchingSchema, exporter: anything }

/** Returns the exporter and the function that wraps it; undefined when there is a problem. */
function exporterOf(
  options: PipelineLogRecordProcessorOptions,
  problems: ConfigurationProblem[],
): { readonly exporter: Exporter; readonly decorate: (exporter: Exporter) => Exporter } | undefined {
  const { exporter: given, exportTimeoutMillis } = options
  const batching = givenOf(options, batchingNames)
  const before = problems.length
  if (Array.isArray(given)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: 'must be a single exporter, not an array; create a PipelineLogRecordProcessor for each',
    })
  } else if (!isForeignExporter(given)) {
    exportersCheck(given, where, problems)
    if (problems.length === before) checkExporterLevel(given, where, problems)
  }
  if (problems.length > 0) return undefined
  const timeout = exportTimeoutMillis === undefined ? {} : { exportTimeoutMillis }
  const isForeign = isForeignExporter(given)
  const exporter = isForeign ? fromLogRecordExporter(given, timeout) : given
  // For an SDK exporter, the timeout applies to each call and is passed to its adapter instead of the pipeline.
  const decorate = (own: Exporter) =>
    batchingExporter(own, isForeign ? givenOf(batching, namesWithoutTimeout) : batching)
  exportersCheck(decorate(snapshotExporter(exporter)), where, problems)
  return { exporter, decorate }
}

function incomplete(dropped: number, unknown: number, pending: number): Error {
  const parts = [
    ...(dropped > 0 ? [`${dropped} records were lost`] : []),
    ...(unknown > 0 ? [`${unknown} may have arrived`] : []),
    ...(pending > 0 ? [`${pending} are still queued`] : []),
  ]
  return new Error(`not all records were exported: ${parts.join(', ') || 'the exporter could not be flushed'}`)
}
