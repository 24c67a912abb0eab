import { composeLogger } from './compose-logger.ts'
import { nodeRuntime } from './create-logger.ts'
import { captureKey, type CaptureRecords } from '../handler/record-capture.ts'
import type { BoundNames, CheckedLevelOption, LevelName, LoggerOptions, RootLogger } from '../logger/types.ts'
import { nestedOptionNames } from './logger-options.ts'
import { copyOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { Capture } from '../testing/capture.ts'
import { capturedLogs, type CapturedLogs } from '../testing/captured-logs.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { addMembers } from '../options/define-member.ts'

/** Options of `captureLogs`: those of the logger that it creates, and existing loggers to capture. */
export interface CaptureOptions<
  A extends object = object,
  L extends string = never,
  N extends string = LevelName<NoInfer<L>> | (string & {}),
  C extends object = object,
> extends Omit<
  LoggerOptions<A, L, N, C>,
  'exporter' | 'provider' | 'profile' | 'handleExit' | 'handleSignals' | 'exitTimeoutMillis'
> {
  /**
   * Loggers whose records are captured until `restore()`, with those of all their children, under their own level, rules and
   * limits: `logger` of this package, or a logger that `createLogger` returned. Until then their exporters receive no records,
   * and the records count as filtered.
   *
   * @defaultValue none
   */
  readonly from?: AnyRootLogger | readonly AnyRootLogger[]
  /**
   * The least severe level that `logs.logger` logs.
   *
   * @defaultValue `trace`, so that a test receives all records
   */
  readonly level?: N
  /**
   * Returns the time of all captured records, in ms since the Unix epoch.
   *
   * @defaultValue a `manualClock()`, which does not advance on its own
   */
  readonly clock?: () => number
}

/** A logger that `createLogger` returned, whatever attributes and levels it declares. */
export type AnyRootLogger = Pick<RootLogger, 'shutdown' | 'stats' | 'isLevelEnabled'>

/** Captured records, and a logger whose records are captured. */
export interface Captured<
  A extends object = object,
  L extends string = never,
  B extends string = never,
> extends CapturedLogs<L> {
  /** A new logger whose records are captured, for code under test that accepts a logger. It does not need to be shut down. */
  readonly logger: RootLogger<A, L, B>
}

/**
 * Captures log records for tests. They are parsed and typed, redacted and truncated as when they leave the process, and available
 * as soon as the log call has returned. It requires no test runner, adds no listener to the process, and leaves nothing open.
 *
 * @throws ConfigurationError with every problem of the options, or if a logger of `from` is a child or has a LoggerProvider
 *
 * @example
 * ```ts
 * using logs = captureLogs()
 * placeOrder(logs.logger)
 * assert.equal(logs.find({ level: 'warn', message: /out of stock/ })?.attributes.sku, 'a-1')
 * ```
 */
export function captureLogs<
  A extends object = object,
  L extends string = never,
  S extends string = string,
  C extends object = {},
>(options: CaptureOptions<A, L, CheckedLevelOption<S, NoInfer<L>>, C> = {}): Captured<A, L, BoundNames<C>> {
  const problems: ConfigurationProblem[] = []
  const {
    from,
    clock = manualClock(),
    level = 'trace',
    ...loggerOptions
  } = copyOptions(options, '', problems, nestedOptionNames, { 'a logger': 'captureLogs({ from: logger })' })
  const captureFunctions = [from ?? []]
    .flat()
    .map((logger, index) => checkedCaptureFunction(logger, Array.isArray(from) ? `from[${index}]` : 'from', problems))
  for (const name of reservedOptions) {
    if (Object.hasOwn(loggerOptions, name))
      problems.push({ code: 'SLUICE_OPTION_UNKNOWN', path: name, message: 'is set by captureLogs; remove it' })
  }
  const capture = new Capture()
  const exporter = capture.exporter({})
  const usedOptions = Object.entries(loggerOptions).filter(
    ([name]) => !(reservedOptions as readonly string[]).includes(name),
  )
  const logger = composeLogger({
    options: { ...Object.fromEntries(usedOptions), level, clock, exporter, handleExit: false, handleSignals: false },
    runtime: nodeRuntime,
    caller: 'captureLogs',
    problems,
  })
  // `composeLogger` has thrown if a logger has no capture function.
  const restoreFunctions = captureFunctions.map((captureRecords) => captureRecords!(capture.sink(clock)))
  const logs = capturedLogs(capture, () => {
    for (const restore of restoreFunctions) restore()
  })
  return addMembers(logs, { logger: logger as unknown as RootLogger<A, L, BoundNames<C>> })
}

/** The options that `captureLogs` sets itself. */
const reservedOptions: readonly (keyof LoggerOptions)[] = [
  'exporter',
  'provider',
  'profile',
  'handleExit',
  'handleSignals',
  'exitTimeoutMillis',
]

/** Returns the capture function of a root logger. Without one, adds a problem and returns undefined. */
function checkedCaptureFunction(
  logger: AnyRootLogger,
  path: string,
  problems: ConfigurationProblem[],
): CaptureRecords | undefined {
  const captureRecords = captureFunctionOf(logger)
  if (captureRecords !== undefined) return captureRecords
  const message =
    'must be `logger`, or a logger that createLogger returned and that has no provider; for a child logger, use its root logger'
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message })
  return undefined
}

function captureFunctionOf(logger: unknown): CaptureRecords | undefined {
  try {
    return (logger as { readonly [captureKey]?: CaptureRecords })[captureKey]
  } catch {
    return undefined
  }
}
