import { counted, isOrAre, wasOrWere } from '../../options/counted.ts'
import { foreignProviderOptionNames } from '../../options/foreign-provider-names.ts'
import {
  receivedOptionsObject,
  deliverySchema,
  definedOptions,
  throwIfInvalid,
} from '../../exporters/exporter-options.ts'
import { writeStderrLine } from '../../exporters/stderr.ts'
import type { FlushResult, Stats } from '../../logger/types.ts'
import { exportersCheck } from '../../pipeline/exporter-checks.ts'
import type { Delivery, Exporter, OnFull } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { anything, checkOptions, type OptionSchema } from '../../options/option-checks.ts'
import { copyOptions } from '../../options/own-options.ts'
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
  nestedSdkOptionNames,
  sdkRecordSchema,
  type SdkRecordOptions,
} from './sdk-record-options.ts'
import { SdkBoundStates } from './sdk-bound-states.ts'
import { createWaitShortener } from '../provider/resource-readiness.ts'
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
   * @defaultValue the exporter's schedule; 1,000 for an exporter of OpenTelemetry's SDK
   */
  readonly scheduledDelayMillis?: number
  /**
   * The timeout of an export in ms, after which its signal is aborted; 0 means no limit.
   *
   * @defaultValue the exporter's, else 30,000; no limit for an exporter with `exportSync`
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
  private readonly adapter: SdkRecordAdapter
  private readonly owners: OwnerRegistry
  private readonly delivery: LoggerDelivery
  /** The result of the first call of `shutdown`. */
  private shutdownResult: Promise<void> | undefined

  constructor(givenOptions: PipelineLogRecordProcessorOptions) {
    const problems: ConfigurationProblem[] = []
    const options = copyOptions(givenOptions ?? {}, className, problems, nestedSdkOptionNames, {
      'an exporter': `new ${className}({ exporter })`,
    })
    const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, writeStderrLine, nodePlatform.monotonic)
    checkOptions(options, schema, className, problems, foreignProviderOptionNames)
    const { rules, exit } = checkSdkRecordOptions(options, className, reportDiagnostic, problems)
    const exporterAndWrapper = receivedOptionsObject(className, problems) ? exporterOf(options, problems) : undefined
    throwIfInvalid(problems)
    const boundStates = new SdkBoundStates(rules.redaction.patterns)
    const { exporter, decorate } = exporterAndWrapper!
    const { attached, adapter, delivery } = openSdkPipeline(exporter, {
      platform: nodePlatform,
      exit,
      reportDiagnostic,
      decorate,
      onFlush: createWaitShortener(boundStates.resourceWaits),
      rules,
      boundStates,
      meterProvider: options.meterProvider,
      measuredPart: 'processor',
    })
    this.attached = attached
    this.adapter = adapter
    this.owners = new OwnerRegistry(attached.target.owner.counters)
    this.delivery = delivery
  }

  onEmit(record: ReadableLogRecord): void {
    this.adapter.push(record, this.owners)
  }

  enabled(options: EnabledOptions): boolean {
    if (this.shutdownResult !== undefined) return false
    const severity = (options && member(options, 'severityNumber')) ?? 0
    return severity === 0 || severity >= this.attached.target.threshold
  }

  forceFlush(options?: { readonly timeoutMillis?: number }): Promise<void> {
    const timeoutMillis = timeoutOf(options, flushTimeoutMillis)
    return this.shutdownResult ?? this.completed(this.delivery.flush({ timeoutMillis }))
  }

  shutdown(): Promise<void> {
    this.shutdownResult ??= this.completed(this.delivery.shutdown({ timeoutMillis: flushTimeoutMillis }))
    return this.shutdownResult
  }

  stats(): Stats {
    return this.delivery.stats()
  }

  /** Waits for a flush. Rejects if it was incomplete or failed, with the counts of the records that were not exported. */
  private async completed(flush: Promise<FlushResult>): Promise<void> {
    const { counters } = this.owners
    const unknownBefore = counters.unknown
    const { ok, pending, dropped } = await flush
    if (!ok) throw incompleteFlush(dropped, counters.unknown - unknownBefore, pending)
  }
}

const className = 'PipelineLogRecordProcessor'
const exporterPath = `${className}.exporter`
/** The default timeout of `forceFlush` and the timeout of `shutdown` in ms, as in the SDK's LoggerProvider. */
const flushTimeoutMillis = 30_000

const { level: _, ...batchingSchema } = deliverySchema
const batchingNames = Object.keys(batchingSchema) as (keyof typeof batchingSchema)[]
const namesWithoutTimeout = batchingNames.filter((name) => name !== 'exportTimeoutMillis')
const schema: OptionSchema = { ...sdkRecordSchema, ...batchingSchema, exporter: anything }

/** Returns the exporter, and a function that wraps it for its pipeline; undefined if there is a problem. */
function exporterOf(
  options: PipelineLogRecordProcessorOptions,
  problems: ConfigurationProblem[],
): { readonly exporter: Exporter; readonly decorate: (exporter: Exporter) => Exporter } | undefined {
  const { exporter: given, exportTimeoutMillis } = options
  const batchingOptions = definedOptions(options, batchingNames)
  const problemsBefore = problems.length
  if (Array.isArray(given)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: exporterPath,
      message: 'must be a single exporter, not an array; create a PipelineLogRecordProcessor for each',
    })
  } else if (!isForeignExporter(given)) {
    exportersCheck(given, exporterPath, problems)
    if (problems.length === problemsBefore) checkExporterLevel(given, exporterPath, problems)
  }
  if (problems.length > 0) return undefined
  const timeoutOption = exportTimeoutMillis === undefined ? {} : { exportTimeoutMillis }
  const isForeign = isForeignExporter(given)
  const exporter = isForeign ? fromLogRecordExporter(given, timeoutOption) : given
  // For an SDK exporter, the timeout applies to each call of `export`. Its adapter has received it, so the pipeline has no timeout.
  const decorate = (snapshot: Exporter) =>
    batchingExporter(snapshot, isForeign ? definedOptions(batchingOptions, namesWithoutTimeout) : batchingOptions)
  exportersCheck(decorate(snapshotExporter(exporter)), exporterPath, problems)
  return { exporter, decorate }
}

function incompleteFlush(dropped: number, unknown: number, pending: number): Error {
  const parts = [
    ...(dropped > 0 ? [`${counted(dropped, 'record')} ${wasOrWere(dropped)} lost`] : []),
    ...(unknown > 0 ? [`${unknown} may have arrived`] : []),
    ...(pending > 0 ? [`${pending} ${isOrAre(pending)} still queued`] : []),
  ]
  return new Error(`not all records were exported: ${parts.join(', ') || 'the exporter could not be flushed'}`)
}
