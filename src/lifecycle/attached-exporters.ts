import type { PipelineTarget } from '../handler/encoding-handler.ts'
import { dropReporter } from '../handler/drop-reporter.ts'
import type { Levels } from '../logger/levels.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { MeterProvider } from '../pipeline/meter.ts'
import type { PipelineHost } from '../pipeline/host.ts'
import { snapshotExporter } from '../pipeline/snapshot-exporter.ts'
import { RecordOwner } from '../pipeline/batch-buffer.ts'
import type { Producer } from '../pipeline/producer.ts'
import { Counters } from '../pipeline/counters.ts'
import { selfMetrics, type MeasuredPart } from '../pipeline/self-metrics.ts'
import { ConfigurationError, type OnDiagnostic } from '../options/configuration-error.ts'
import type { BoundState } from '../record/bound.ts'
import type { InstrumentationSource } from '../record/instrumentation-source.ts'
import { sdkVersion } from '../record/sdk.ts'
import { whenCollected } from './dropped-loggers.ts'
import { runAs } from './exit-guard-place.ts'
import { destinationProblems, joinDestination, detachProducer, type ExitOptions } from './destinations.ts'
import type { Platform } from './platform.ts'
import { withDefaults, type ProfileDefaults } from './profiles.ts'

/** An exporter that is attached to a pipeline, with its producer and output. */
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
  /** The scope and resource of drop reports. */
  readonly bound: BoundState
  /** Returns milliseconds since the Unix epoch. */
  readonly clock: () => number
  readonly exit: ExitOptions
  readonly reportDiagnostic: OnDiagnostic
  /** The defaults of unset exporter options; undefined if the owner has other defaults, as OpenTelemetry's processors do. */
  readonly profile: ProfileDefaults | undefined
  /** Wraps exporters that open a pipeline; undefined to use them unchanged. */
  readonly decorate: ((exporter: Exporter) => Exporter) | undefined
  /** Called when a flush starts, with its timeout in ms. Must not throw, and must not reference the owner. */
  readonly onFlush: ((timeoutMillis: number) => void) | undefined
}

/**
 * Attaches each exporter to a pipeline: all of them, or none if one fails.
 *
 * @param given - one or more exporters that were checked before
 * @throws ConfigurationError if an exporter is already in use, or shares a destination with different options; whatever a custom
 * exporter throws when it is started
 */
export function attachExporters(given: Exporter | readonly Exporter[], settings: AttachSettings): AttachedExporter[] {
  const exporters = Array.isArray(given) ? (given as readonly Exporter[]) : [given as Exporter]
  checkDestinations(exporters, Array.isArray(given))
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
 * @param part - kind of the owner
 * @returns a function to call when the exporters are closed
 */
export function measure(
  attached: readonly AttachedExporter[],
  meterProvider: MeterProvider | undefined,
  reportDiagnostic: OnDiagnostic,
  part: MeasuredPart = 'logger',
): () => void {
  if (meterProvider === undefined) return () => {}
  const measured = attached.map(({ target }) => ({ processor: target.processor, counters: target.owner.counters }))
  const stop = selfMetrics(meterProvider, sdkVersion, part, measured, () =>
    reportDiagnostic({
      code: 'SLUICE_METRICS_FAILED',
      message: 'the MeterProvider threw; the metrics of this package are incomplete',
    }),
  )
  whenCollected(attached[0]!.target.owner, stop)
  return stop
}

/** Returns an output with another scope and resource, which uses the same exporter and counters. */
export function outputOf({ target }: AttachedExporter, source: InstrumentationSource): PipelineTarget {
  return { ...target, owner: new RecordOwner(target.owner.counters, source, target.owner) }
}

/** Throws for conflicting destinations before any is opened, so that nothing has to be undone. */
function checkDestinations(exporters: readonly Exporter[], areSeveral: boolean): void {
  const problems = exporters.flatMap((exporter, index) =>
    destinationProblems(exporter, exporters.slice(0, index), areSeveral ? `exporter[${index}]` : 'exporter'),
  )
  if (problems.length > 0) throw new ConfigurationError(problems, problems[0]!.code)
}

function attachExporter(given: Exporter, settings: AttachSettings): AttachedExporter {
  const own = snapshotExporter(given)
  const exporter = settings.profile === undefined ? own : withDefaults(own, settings.profile)
  const { levels, bound, clock, exit, decorate } = settings
  const counters = new Counters()
  // Referenced only by the logger. When it is garbage collected, the logger is detached from the pipeline.
  const owner = new RecordOwner(counters, bound)
  const producer = dropReporter(new RecordOwner(counters, bound), exporter.encoding, bound, clock)
  const host = hostOf(exporter, counters, settings)
  const { guardExit } = settings.platform
  const processor = joinDestination(given, exporter, owner, producer, host, exit, guardExit, decorate)
  const threshold = exporter.delivery.level === undefined ? 0 : levels.threshold(exporter.delivery.level)!
  const output: PipelineTarget = { processor, owner, encoding: exporter.encoding, threshold, activeCapture: undefined }
  return { name: exporter.name, producer, target: output }
}

function hostOf(exporter: Exporter, counters: Counters, settings: AttachSettings): PipelineHost {
  const { platform, exit, reportDiagnostic, profile, onFlush } = settings
  const { monotonic, endOfTurn, microtask, delay, binaryBuffers } = platform
  let isReaderGone = false
  return {
    reportDiagnostic(code, message) {
      counters.lastDiagnostic = `${code}: ${message}`
      isReaderGone ||= code === 'SLUICE_READER_CLOSED'
      if (profile?.reportsReaderGone !== false || !isReaderGone) reportDiagnostic({ code, message })
    },
    monotonic,
    exitTimeoutMillis: exit.exitTimeoutMillis,
    drainsAtExit: exit.handleExit && platform.guardExit !== undefined,
    reportsNoExit: platform.guardExit === undefined,
    buffers: platform.buffers(exporter.batchBytes),
    binaryBuffers,
    endOfTurn,
    microtask,
    delay,
    runAs,
    onFlush,
  }
}
