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
import type { InstrumentationSource } from '../record/record.ts'
import { sdkVersion } from '../record/sdk.ts'
import { whenDropped } from './dropped-loggers.ts'
import { runAs } from './exit-guard-place.ts'
import { destinationProblems, joinDestination, leaveDestination, type ExitOptions } from './destinations.ts'
import type { Platform } from './platform.ts'
import { withDefaults, type ProfileDefaults } from './profiles.ts'

/** One exporter of whoever owns pipelines, with its place in one. */
export interface AttachedExporter {
  readonly name: string
  readonly producer: Producer
  readonly output: PipelineTarget
}

/** What all outlets of one owner have in common. */
export interface AttachSettings {
  readonly platform: Platform
  /** The levels that an exporter's own `level` can name. */
  readonly levels: Levels
  /** Who tells losses. */
  readonly bound: BoundState
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number
  readonly exit: ExitOptions
  readonly reportDiagnostic: OnDiagnostic
  /** What holds where exporters say nothing; undefined where the owner has defaults of its own, as OpenTelemetry's processors. */
  readonly profile: ProfileDefaults | undefined
  /** Decorates the exporters that open a pipeline; undefined: they are used as they are. */
  readonly decorate: ((exporter: Exporter) => Exporter) | undefined
  /** Called when a flush begins, with the time that it may take, in ms. Must not throw, and must not hold the owner. */
  readonly flushing: ((timeoutMillis: number) => void) | undefined
}

/**
 * Gives each exporter its place in a pipeline: in all of them or in none.
 *
 * @param given - an exporter or some, which were checked before
 * @throws ConfigurationError when an exporter serves somebody else, or shares a destination with other options; what an
 * exporter of somebody's own throws when it is started.
 */
export function attachExporters(given: Exporter | readonly Exporter[], settings: AttachSettings): AttachedExporter[] {
  const exporters = Array.isArray(given) ? (given as readonly Exporter[]) : [given as Exporter]
  refuseDestinations(exporters, Array.isArray(given))
  const attached: AttachedExporter[] = []
  try {
    for (const exporter of exporters) attached.push(attachExporter(exporter, settings))
    return attached
  } catch (error) {
    for (const { output, producer } of attached) void leaveDestination(output.processor, producer, 0)
    throw error
  }
}

/**
 * Tells a MeterProvider what becomes of the records; without one it does nothing. `part`: what the owner is.
 *
 * @returns to be called when the outlets are closed.
 */
export function measure(
  attached: readonly AttachedExporter[],
  meterProvider: MeterProvider | undefined,
  reportDiagnostic: OnDiagnostic,
  part: MeasuredPart = 'logger',
): () => void {
  if (meterProvider === undefined) return () => {}
  const measured = attached.map(({ output }) => ({ processor: output.processor, counters: output.owner.counters }))
  const stop = selfMetrics(meterProvider, sdkVersion, part, measured, () =>
    reportDiagnostic({
      code: 'SLUICE_METRICS_FAILED',
      message: 'the MeterProvider threw: its metrics of this package are not whole',
    }),
  )
  whenDropped(attached[0]!.output.owner, stop)
  return stop
}

/** The output of somebody else who speaks through the same exporter and is counted with it. */
export function outputOf({ output }: AttachedExporter, source: InstrumentationSource): PipelineTarget {
  return { ...output, owner: new RecordOwner(output.owner.counters, source, output.owner) }
}

/** Before any is opened: what throws here leaves nothing behind. */
function refuseDestinations(exporters: readonly Exporter[], areSeveral: boolean): void {
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
  // Held by whoever logs, and by no one else: with it the logger's place in the pipeline ends.
  const owner = new RecordOwner(counters, bound)
  const producer = dropReporter(new RecordOwner(counters, bound), exporter.encoding, bound, clock)
  const host = hostOf(exporter, counters, settings)
  const { guardExit } = settings.platform
  const processor = joinDestination(given, exporter, owner, producer, host, exit, guardExit, decorate)
  const threshold = exporter.delivery.level === undefined ? 0 : levels.threshold(exporter.delivery.level)!
  const output: PipelineTarget = { processor, owner, encoding: exporter.encoding, threshold, activeCapture: undefined }
  return { name: exporter.name, producer, output }
}

function hostOf(exporter: Exporter, counters: Counters, settings: AttachSettings): PipelineHost {
  const { platform, exit, reportDiagnostic, profile, flushing } = settings
  const { monotonic, endOfTurn, microtask, delay, binaryBuffers } = platform
  let readerGone = false
  return {
    reportDiagnostic(code, message) {
      counters.lastProblem = `${code}: ${message}`
      readerGone ||= code === 'SLUICE_READER_GONE'
      if (profile?.tellsReaderGone !== false || !readerGone) reportDiagnostic({ code, message })
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
    flushing,
  }
}
