import { Resolver } from './encode/resolve.ts'
import { fdExporter } from './export/fd.ts'
import { stderrLine } from './export/stderr.ts'
import { encodingHandler, type Output } from './handler/encoding-handler.ts'
import { enrichHandler } from './handler/enrich.ts'
import { lossLane } from './handler/loss-lane.ts'
import type { ContextAttributes } from './logger/bound.ts'
import { guardedClock } from './logger/clock.ts'
import type { Family } from './logger/family.ts'
import { Levels } from './logger/levels.ts'
import { rootLogger } from './logger/logger.ts'
import type { LoggerOptions, RootLogger } from './logger/types.ts'
import { checkLoggerOptions, type CheckedOptions } from './logger-options.ts'
import { activeSpanContext } from './otel/span-context.ts'
import type { Exporter } from './pipeline/exporter.ts'
import type { PipelineHost } from './pipeline/host.ts'
import { Account } from './pipeline/ledger.ts'
import { ConfigurationError, type ConfigurationProblem, type OnProblem } from './record/problems.ts'
import type { Bound } from './record/record.ts'
import { byteBuffers } from './runtime/byte-buffers.ts'
import { contextStorage } from './runtime/context-storage.ts'
import { destinationProblems, joinDestination, leaveDestination, type ExitOptions } from './runtime/destinations.ts'
import { delay, endOfTurn, microtask, monotonic } from './runtime/end-of-turn.ts'
import { readEnvironment } from './runtime/env.ts'
import { familyDelivery, type Outlet } from './family-delivery.ts'
import { problemReporter } from './runtime/problem-reporter.ts'
import { resourceFrom } from './runtime/resource.ts'

/**
 * Makes a logger that owns its pipelines.
 *
 * @throws ConfigurationError with every problem of the options. The environment never makes it throw.
 */
export function createLogger<A extends object = object, L extends string = never>(
  options: LoggerOptions<A, L> = {},
): RootLogger<A, L> {
  const problems: ConfigurationProblem[] = []
  const tell = problemReporter(options?.onProblem, stderrLine)
  const levels = new Levels(options?.levels ?? {})
  const environment = readEnvironment(tell, levels.names)
  const checked = checkLoggerOptions(options as LoggerOptions, levels, environment, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)

  const { rules } = checked
  const own = new Resolver(rules).resolve(options.attributes ?? {})
  const bound: Bound = {
    scope: { name: options.name, version: options.version },
    resource: resourceFrom(options.resource, tell),
    attributes: own.attributes,
    droppedAttributes: own.dropped,
    messagePrefix: options.messagePrefix ?? '',
    rendered: { by: undefined, value: undefined },
  }
  const clock = options.clock === undefined ? Date.now : guardedClock(options.clock)
  const contexts = contextStorage<ContextAttributes>()
  const given = options.exporter ?? fdExporter()
  const exporters = Array.isArray(given) ? (given as readonly Exporter[]) : [given as Exporter]
  refuseDestinations(exporters, Array.isArray(given))
  const outlets = openOutlets(exporters, (exporter) => openOutlet(exporter, checked, levels, bound, clock, tell))
  const outputs = outlets.map(({ output }) => output)
  const handler = encodingHandler(outputs, rules)
  const family: Family = {
    levels,
    accounts: outputs.map(({ origin }) => origin.account),
    clock,
    activeSpan: options.traceContext === false ? undefined : activeSpanContext,
    context: () => contexts.get(),
    tell,
    ...familyDelivery(outlets, checked.exit.exitTimeoutMillis),
  }
  const enriched = options.enrich === undefined ? handler : enrichHandler(handler, options.enrich)
  return rootLogger(family, enriched, rules, bound, checked.level) as unknown as RootLogger<A, L>
}

/** Before any is opened: what throws here leaves nothing behind. */
function refuseDestinations(exporters: readonly Exporter[], areSeveral: boolean): void {
  const problems = exporters.flatMap((exporter, index) =>
    destinationProblems(exporter, exporters.slice(0, index), areSeveral ? `exporter[${index}]` : 'exporter'),
  )
  if (problems.length > 0) throw new ConfigurationError(problems, problems[0]!.code)
}

/** Opens all or none: an exporter of somebody's own may throw when it is started. */
function openOutlets(exporters: readonly Exporter[], open: (exporter: Exporter) => Outlet): Outlet[] {
  const outlets: Outlet[] = []
  try {
    for (const exporter of exporters) outlets.push(open(exporter))
    return outlets
  } catch (error) {
    for (const { output, lane } of outlets) void leaveDestination(output.processor, lane, 0)
    throw error
  }
}

function openOutlet(
  exporter: Exporter,
  { exit }: CheckedOptions,
  levels: Levels,
  bound: Bound,
  clock: () => number,
  tell: OnProblem,
): Outlet {
  const origin = { account: new Account(), source: bound }
  const lane = lossLane(origin, exporter.encoding, bound, clock)
  const processor = joinDestination(exporter, lane, hostOf(origin.account, exit, tell), exit)
  const threshold = exporter.delivery.level === undefined ? 0 : levels.threshold(exporter.delivery.level)!
  const output: Output = { processor, origin, encoding: exporter.encoding, threshold }
  return { name: exporter.name, lane, output }
}

function hostOf(account: Account, exit: ExitOptions, tell: OnProblem): PipelineHost {
  return {
    problem(code, message) {
      account.lastProblem = `${code}: ${message}`
      tell({ code, message })
    },
    monotonic,
    exitTimeoutMillis: exit.exitTimeoutMillis,
    drainsAtExit: exit.handleExit,
    buffers,
    binaryBuffers,
    endOfTurn,
    microtask,
    delay,
  }
}

const buffers = byteBuffers()
const binaryBuffers = byteBuffers('latin1')
