import type { PipelineTarget } from '../handler/encoding-handler.ts'
import { createProducer } from '../handler/drop-reporter.ts'
import type { Levels } from '../logger/levels.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { MeterProvider } from '../pipeline/meter.ts'
import type { PipelineHost } from '../pipeline/host.ts'
import { snapshotExporter } from '../pipeline/snapshot-exporter.ts'
import { RecordOwner } from '../pipeline/batch-buffer.ts'
import type { Producer } from '../pipeline/producer.ts'
import { Counters } from '../pipeline/counters.ts'
import { startSelfMetrics, type MeasuredPart } from '../pipeline/self-metrics.ts'
import { ConfigurationError, type OnDiagnostic } from '../options/configuration-error.ts'
import type { BoundState } from '../record/bound.ts'
import type { InstrumentationSource } from '../record/instrumentation-source.ts'
import { sdkVersion } from '../record/sdk-version.ts'
import { whenCollected } from './dropped-loggers.ts'
import { attributeWorkTo } from './shared-exit-guard.ts'
import { destinationProblems, joinDestination, detachProducer, type ExitOptions } from './destinations.ts'
import type { Platform } from './platform.ts'
import { withDefaults, type ProfileDefaults } from './profiles.ts'

/** An exporter of one logger that is attached to a pipeline, with its producer and its target for handlers. */
export interface AttachedExporter {
  readonly name: string
  readonly producer: Producer
  readonly target: PipelineTarget
}

/** The settings that all exporters of one logger, provider or processor share. */
export interface AttachSettings {
  readonly platform: Platform
  /** The levels that the `level` option of an exporter can name. */
  readonly levels: Levels
  /** The scope and resource of the logger's records and of its drop reports. */
  readonly bound: BoundState
  /** Returns milliseconds since the Unix epoch. */
  readonly clock: () => number
  readonly exit: ExitOptions
  readonly reportDiagnostic: OnDiagnostic
  /** The defaults of unset exporter options; undefined for an OpenTelemetry processor, which has other defaults. */
  readonly profileDefaults: ProfileDefaults | undefined
  /** Wraps exporters that open a pipeline; undefined to use them unchanged. */
  readonly decorate: ((exporter: Exporter) => Exporter) | undefined
  /** Called when a flush starts, with its timeout in ms. Must not throw, and must not reference the logger, provider or
   * processor. */
  readonly onFlush: ((timeoutMillis: number) => void) | undefined
}

/**
 * Attaches each exporter to a pipeline: all of them, or none if one fails.
 *
 * @param oneOrMore - one exporter or several, which were checked before
 * @throws ConfigurationError if an exporter is already in use, or shares a destination with different options; whatever a custom
 * exporter throws when it is started
 */
export function attachExporters(
  oneOrMore: Exporter | readonly Exporter[],
  settings: AttachSettings,
): AttachedExporter[] {
  const isList = Array.isArray(oneOrMore)
  const exporters = isList ? (oneOrMore as readonly Exporter[]) : [oneOrMore as Exporter]
  checkDestinations(exporters, isList)
  const attached: AttachedExporter[] = []
  try {
    for (const exporter of exporters) attached.push(attachExporter(exporter, settings))
    return attached
  } catch (error) {
    for (const { target, producer } of attached) void detachProducer(target.processor, producer, 0)
    throw error
  }
}

/**
 * Reports delivery metrics to a MeterProvider. Does nothing without one.
 *
 * @param measuredPart - what the exporters belong to
 * @param hasRecorder - whether a flight recorder holds records of the exporters
 * @returns a function to call when the exporters are closed
 */
export function startDeliveryMetrics(
  attached: readonly AttachedExporter[],
  meterProvider: MeterProvider | undefined,
  reportDiagnostic: OnDiagnostic,
  measuredPart: MeasuredPart = 'logger',
  hasRecorder = false,
): () => void {
  if (meterProvider === undefined) return () => {}
  const measured = attached.map(({ target: { processor, owner } }) => ({
    processor,
    counters: owner.counters,
    hasRecorder,
  }))
  const stopMetrics = startSelfMetrics(meterProvider, sdkVersion, measuredPart, measured, () =>
    reportDiagnostic({
      code: 'SLUICE_METRICS_FAILED',
      message: 'the MeterProvider threw; the metrics of this package are incomplete',
    }),
  )
  // The logger references the owners of all its exporters, so the first one is collected only after the logger.
  whenCollected(attached[0]!.target.owner, stopMetrics)
  return stopMetrics
}

/** Returns a target for records with another scope and resource, which uses the same exporter and counters. */
export function targetWithSource({ target }: AttachedExporter, source: InstrumentationSource): PipelineTarget {
  return { ...target, owner: new RecordOwner(target.owner.counters, source, target.owner) }
}

/** Throws if destinations conflict or an exporter is in use, before any is opened, so that nothing has to be undone. */
function checkDestinations(exporters: readonly Exporter[], isList: boolean): void {
  const problems = exporters.flatMap((exporter, index) =>
    destinationProblems(exporter, exporters.slice(0, index), isList ? `exporter[${index}]` : 'exporter'),
  )
  if (problems.length > 0) throw new ConfigurationError(problems, problems[0]!.code)
}

function attachExporter(userExporter: Exporter, settings: AttachSettings): AttachedExporter {
  const snapshot = snapshotExporter(userExporter)
  const { levels, bound, clock, exit, profileDefaults, decorate } = settings
  const exporter = profileDefaults === undefined ? snapshot : withDefaults(snapshot, profileDefaults)
  const counters = new Counters()
  // Referenced only by the logger and its queued records. When it is garbage collected, the producer is removed from the pipeline.
  // The producer has a separate owner for its drop reports, because the pipeline references the producer.
  const owner = new RecordOwner(counters, bound)
  const producer = createProducer(new RecordOwner(counters, bound), exporter.encoding, bound, clock)
  const host = hostOf(exporter, counters, settings)
  const { guardExit } = settings.platform
  const processor = joinDestination(userExporter, exporter, owner, producer, host, exit, guardExit, decorate)
  const threshold = exporter.delivery.level === undefined ? 0 : levels.threshold(exporter.delivery.level)!
  const target: PipelineTarget = { processor, owner, encoding: exporter.encoding, threshold, recordCapture: undefined }
  return { name: exporter.name, producer, target }
}

function hostOf(exporter: Exporter, counters: Counters, settings: AttachSettings): PipelineHost {
  const { platform, exit, reportDiagnostic, profileDefaults, onFlush } = settings
  const { monotonic, endOfTurn, microtask, delay, binaryBuffers } = platform
  let isReaderClosed = false
  return {
    reportDiagnostic(code, message) {
      counters.lastDiagnostic = `${code}: ${message}`
      isReaderClosed ||= code === 'SLUICE_READER_CLOSED'
      if (profileDefaults?.reportsAfterReaderClosed !== false || !isReaderClosed) reportDiagnostic({ code, message })
    },
    monotonic,
    exitTimeoutMillis: exit.exitTimeoutMillis,
    drainsAtExit: exit.handleExit && platform.guardExit !== undefined,
    hasNoExitEvent: platform.guardExit === undefined,
    textBuffers: platform.textBuffers(exporter.batchBytes),
    binaryBuffers,
    endOfTurn,
    microtask,
    delay,
    attributeWorkTo,
    onFlush,
  }
}
