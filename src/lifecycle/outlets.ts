import type { Output } from '../handler/encoding-handler.ts'
import { lossLane } from '../handler/loss-lane.ts'
import type { Levels } from '../logger/levels.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { MeterProvider } from '../pipeline/meter.ts'
import type { PipelineHost } from '../pipeline/host.ts'
import { ownExporter } from '../pipeline/own-exporter.ts'
import { Origin } from '../pipeline/chunk.ts'
import type { Lane } from '../pipeline/lane.ts'
import { Account } from '../pipeline/ledger.ts'
import { selfMetrics, type MeasuredPart } from '../pipeline/self-metrics.ts'
import { ConfigurationError, type OnProblem } from '../options/configuration-error.ts'
import type { BoundState } from '../record/bound.ts'
import type { Source } from '../record/record.ts'
import { sdkVersion } from '../record/sdk.ts'
import { whenDropped } from './dropped-loggers.ts'
import { runAs } from './exit-guard-place.ts'
import { destinationProblems, joinDestination, leaveDestination, type ExitOptions } from './destinations.ts'
import type { Platform } from './platform.ts'
import { withDefaults, type ProfileDefaults } from './profiles.ts'

/** One exporter of whoever owns pipelines, with its place in one. */
export interface Outlet {
  readonly name: string
  readonly lane: Lane
  readonly output: Output
}

/** What all outlets of one owner have in common. */
export interface OutletSettings {
  readonly platform: Platform
  /** The levels that an exporter's own `level` can name. */
  readonly levels: Levels
  /** Who tells losses. */
  readonly bound: BoundState
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number
  readonly exit: ExitOptions
  readonly tell: OnProblem
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
export function openOutlets(given: Exporter | readonly Exporter[], settings: OutletSettings): Outlet[] {
  const exporters = Array.isArray(given) ? (given as readonly Exporter[]) : [given as Exporter]
  refuseDestinations(exporters, Array.isArray(given))
  const outlets: Outlet[] = []
  try {
    for (const exporter of exporters) outlets.push(openOutlet(exporter, settings))
    return outlets
  } catch (error) {
    for (const { output, lane } of outlets) void leaveDestination(output.processor, lane, 0)
    throw error
  }
}

/**
 * Tells a MeterProvider what becomes of the records; without one it does nothing. `part`: what the owner is.
 *
 * @returns to be called when the outlets are closed.
 */
export function measure(
  outlets: readonly Outlet[],
  meterProvider: MeterProvider | undefined,
  tell: OnProblem,
  part: MeasuredPart = 'logger',
): () => void {
  if (meterProvider === undefined) return () => {}
  const measured = outlets.map(({ output }) => ({ processor: output.processor, account: output.origin.account }))
  const stop = selfMetrics(meterProvider, sdkVersion, part, measured, () =>
    tell({
      code: 'SLUICE_METRICS_FAILED',
      message: 'the MeterProvider threw: its metrics of this package are not whole',
    }),
  )
  whenDropped(outlets[0]!.output.origin, stop)
  return stop
}

/** The output of somebody else who speaks through the same exporter and is counted with it. */
export function outputOf({ output }: Outlet, source: Source): Output {
  return { ...output, origin: new Origin(output.origin.account, source, output.origin) }
}

/** Before any is opened: what throws here leaves nothing behind. */
function refuseDestinations(exporters: readonly Exporter[], areSeveral: boolean): void {
  const problems = exporters.flatMap((exporter, index) =>
    destinationProblems(exporter, exporters.slice(0, index), areSeveral ? `exporter[${index}]` : 'exporter'),
  )
  if (problems.length > 0) throw new ConfigurationError(problems, problems[0]!.code)
}

function openOutlet(given: Exporter, settings: OutletSettings): Outlet {
  const own = ownExporter(given)
  const exporter = settings.profile === undefined ? own : withDefaults(own, settings.profile)
  const { levels, bound, clock, exit, decorate } = settings
  const account = new Account()
  // Held by whoever logs, and by no one else: with it the logger's place in the pipeline ends.
  const origin = new Origin(account, bound)
  const lane = lossLane(new Origin(account, bound), exporter.encoding, bound, clock)
  const host = hostOf(exporter, account, settings)
  const { guardExit } = settings.platform
  const processor = joinDestination(given, exporter, origin, lane, host, exit, guardExit, decorate)
  const threshold = exporter.delivery.level === undefined ? 0 : levels.threshold(exporter.delivery.level)!
  const output: Output = { processor, origin, encoding: exporter.encoding, threshold, diversion: undefined }
  return { name: exporter.name, lane, output }
}

function hostOf(exporter: Exporter, account: Account, settings: OutletSettings): PipelineHost {
  const { platform, exit, tell, profile, flushing } = settings
  const { monotonic, endOfTurn, microtask, delay, binaryBuffers } = platform
  let readerGone = false
  return {
    problem(code, message) {
      account.lastProblem = `${code}: ${message}`
      readerGone ||= code === 'SLUICE_READER_GONE'
      if (profile?.tellsReaderGone !== false || !readerGone) tell({ code, message })
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
