import { deliverySchema, given as givenOf, refuse } from '../../exporters/exporter-options.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import { Levels } from '../../logger/levels.ts'
import type { FlushResult, Stats } from '../../logger/types.ts'
import { exporterOrExporters } from '../../pipeline/exporter-checks.ts'
import type { Delivery, Exporter, OnFull } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { anything, checkOptions, type OptionSchema } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { loggerDelivery, timeoutOf, type LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { measure, attachExporters, type AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { fromLogRecordExporter } from './foreign-exporter.ts'
import { isForeignExporter, type OtelLogRecordExporter } from './foreign-exporter-options.ts'
import { batchingExporter } from './processor-exporter.ts'
import { SdkRecordAdapter, OwnerRegistry } from './sdk-record-adapter.ts'
import { checkExporterLevel, checkIntake, intakeBags, intakeSchema, type IntakeOptions } from './readable-options.ts'
import { ReadableSources } from './readable-sources.ts'
import { shortenWaitForFlush } from '../provider/resource-readiness.ts'
import type { EnabledOptions, OtelContext, ReadableLogRecord } from '../api/types.ts'
import { nodePlatform } from '../../platform/node/platform.ts'
import { member } from '../../options/own-members.ts'

/** Options of `PipelineLogRecordProcessor`. */
export interface PipelineLogRecordProcessorOptions extends IntakeOptions, Omit<Delivery, 'level'> {
  /** Where records go: an exporter of this package, or one of OpenTelemetry's SDK, of either line. */
  readonly exporter: Exporter | OtelLogRecordExporter
  /** The most records that may wait, those that are being exported among them. Default: the exporter's, else 2,048. */
  readonly maxQueueSize?: number
  /** The most bytes that may wait, those in flight included. Default: the exporter's, else 16 MiB. */
  readonly maxQueueBytes?: number
  /** The most records in one batch; never more than may wait. Default: the exporter's, else 512. */
  readonly maxExportBatchSize?: number
  /** How long a record may wait for its batch to fill, in ms. Default: the exporter's, else 1,000. */
  readonly scheduledDelayMillis?: number
  /** How long an export may take, in ms, before its signal is aborted; 0: no limit. Default: the exporter's, else 30,000. */
  readonly exportTimeoutMillis?: number
  /** What to do when the queue is full. Default: the exporter's, else `dropNewest`. */
  readonly onFull?: OnFull
}

/**
 * A batch processor for the LoggerProvider of somebody else's OpenTelemetry SDK, of either line. A record is redacted text
 * when `onEmit` returns.
 */
export interface PipelineLogRecordProcessor {
  /** Takes a record. Never throws, and never waits (PRO2) unless `onFull` is `block`. */
  onEmit(record: ReadableLogRecord, context?: OtelContext): void
  /** False when a record like this would be left out by the exporter's level, or after `shutdown` (PRO3). */
  enabled(options: EnabledOptions): boolean
  /**
   * Exports what was emitted before this call, and flushes the exporter (PRO5).
   *
   * @param options - `timeoutMillis`: default 30,000
   * @throws (rejects) with an Error that counts what was lost or still waits: the API has no other way to tell it.
   */
  forceFlush(options?: { readonly timeoutMillis?: number }): Promise<void>
  /** Flushes and closes, once; later records count as dropped (PRO4). Takes 30,000 ms at most; rejects as `forceFlush`. */
  shutdown(): Promise<void>
  /** What became of the records. */
  stats(): Stats
}

/**
 * Makes one.
 *
 * @throws ConfigurationError with every problem of the options; what an exporter of somebody's own throws when it is started.
 */
export const PipelineLogRecordProcessor: new (
  options: PipelineLogRecordProcessorOptions,
) => PipelineLogRecordProcessor = class implements PipelineLogRecordProcessor {
  private readonly attached: AttachedExporter
  private readonly intake: SdkRecordAdapter
  private readonly tally: OwnerRegistry
  private readonly delivery: LoggerDelivery
  private closing: Promise<void> | undefined

  constructor(given: PipelineLogRecordProcessorOptions) {
    const problems: ConfigurationProblem[] = []
    const options = ownOptions(given ?? {}, owner, problems, intakeBags)
    const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, stderrLine, nodePlatform.monotonic)
    checkOptions(options, schema, owner, problems)
    const { rules, exit } = checkIntake(options, owner, reportDiagnostic, problems)
    const chosen = exporterOf(options, problems)
    refuse(problems)
    const sources = new ReadableSources(rules.redaction.patterns)
    const { exporter, decorate } = chosen!
    const settings = {
      platform: nodePlatform,
      levels: new Levels(),
      bound: sources.own,
      clock: Date.now,
      profile: undefined,
      exit,
      reportDiagnostic,
      decorate,
      flushing: shortenWaitForFlush(sources.settlements),
    }
    const [attached] = attachExporters(exporter, settings)
    this.attached = attached!
    this.intake = new SdkRecordAdapter(attached!.output, rules, sources)
    this.tally = new OwnerRegistry(attached!.output.owner.counters)
    this.delivery = loggerDelivery(
      nodePlatform,
      [attached!],
      exit.exitTimeoutMillis,
      measure([attached!], options.meterProvider, reportDiagnostic, 'processor'),
    )
  }

  onEmit(record: ReadableLogRecord): void {
    this.intake.take(record, this.tally)
  }

  enabled(options: EnabledOptions): boolean {
    if (this.closing !== undefined) return false
    const severity = (options && member(options, 'severityNumber')) ?? 0
    return severity === 0 || severity >= this.attached.output.threshold
  }

  forceFlush(options?: { readonly timeoutMillis?: number }): Promise<void> {
    const timeoutMillis = timeoutOf(options, mostMillis)
    return this.closing ?? this.settle(this.delivery.flush({ timeoutMillis }))
  }

  shutdown(): Promise<void> {
    this.closing ??= this.settle(this.delivery.shutdown({ timeoutMillis: mostMillis }))
    return this.closing
  }

  stats(): Stats {
    return this.delivery.stats()
  }

  /** Rejects with what was lost since this was called. */
  private async settle(end: Promise<FlushResult>): Promise<void> {
    const { counters } = this.tally
    const before = counters.unknown
    const { ok, pending, dropped } = await end
    if (!ok) throw incomplete(dropped, counters.unknown - before, pending)
  }
}

const owner = 'PipelineLogRecordProcessor'
const where = `${owner}.exporter`
/** How long a flush may take where nobody says it, in ms: as the LoggerProvider has it. */
const mostMillis = 30_000

const { level: _, ...batchingSchema } = deliverySchema
const batchingNames = Object.keys(batchingSchema) as (keyof typeof batchingSchema)[]
const untimed = batchingNames.filter((name) => name !== 'exportTimeoutMillis')
const schema: OptionSchema = { ...intakeSchema, ...batchingSchema, exporter: anything }

/** The exporter and what it becomes; undefined when there is a problem. */
function exporterOf(
  options: PipelineLogRecordProcessorOptions,
  problems: ConfigurationProblem[],
): { readonly exporter: Exporter; readonly decorate: (exporter: Exporter) => Exporter } | undefined {
  const { exporter: given, exportTimeoutMillis } = options
  const batching = givenOf(options, batchingNames)
  const before = problems.length
  if (Array.isArray(given)) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be one; give each a processor of its own' })
  } else if (!isForeignExporter(given)) {
    exporterOrExporters(given, where, problems)
    if (problems.length === before) checkExporterLevel(given, where, problems)
  }
  if (problems.length > 0) return undefined
  const timeout = exportTimeoutMillis === undefined ? {} : { exportTimeoutMillis }
  const isForeign = isForeignExporter(given)
  const exporter = isForeign ? fromLogRecordExporter(given, timeout) : given
  // For an exporter of the SDK it is the time of each call, of which it knows more than its pipeline.
  const decorate = (own: Exporter) => batchingExporter(own, isForeign ? givenOf(batching, untimed) : batching)
  exporterOrExporters(decorate(snapshotExporter(exporter)), where, problems)
  return { exporter, decorate }
}

function incomplete(dropped: number, unknown: number, pending: number): Error {
  const parts = [
    ...(dropped > 0 ? [`${dropped} records were lost`] : []),
    ...(unknown > 0 ? [`${unknown} may have arrived`] : []),
    ...(pending > 0 ? [`${pending} wait`] : []),
  ]
  return new Error(`not everything was exported: ${parts.join(', ') || 'the exporter could not be flushed'}`)
}
