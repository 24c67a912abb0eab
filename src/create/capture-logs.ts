import { createLogger } from './create-logger.ts'
import { captureKey, type CaptureRecords } from '../handler/record-capture.ts'
import type { LoggerOptions, RootLogger } from '../logger/types.ts'
import { optionBags } from './logger-options.ts'
import { ownOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { Capture } from '../testing/capture.ts'
import { capturedLogs, type CapturedLogs } from '../testing/captured-logs.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { addMembers } from '../options/define-member.ts'

/** What `captureLogs` takes: the options of the logger that it makes, and loggers that are there already. */
export interface CaptureOptions<A extends object = object, L extends string = never> extends Omit<
  LoggerOptions<A, L>,
  'exporter' | 'provider' | 'profile' | 'handleExit' | 'handleSignals' | 'exitTimeoutMillis'
> {
  /**
   * Loggers whose records are captured until `restore()`, their children included whenever these were made, by their own
   * level, rules and limits: `logger` of this package, or what `createLogger` has returned. Meanwhile they reach no exporter of
   * theirs, and count as filtered. Default: none.
   */
  readonly from?: AnyRootLogger | readonly AnyRootLogger[]
  /** The least severe level that `logs.logger` logs. Default `trace`: a test sees everything. */
  readonly level?: LoggerOptions<A, L>['level']
  /** The time of all captured records, in ms since the Unix epoch. Default: a `manualClock()`, which stands still. */
  readonly clock?: () => number
}

/** A logger of `createLogger`, whatever attributes and levels it declares. */
export type AnyRootLogger = Pick<RootLogger, 'shutdown' | 'stats' | 'isLevelEnabled'>

/** Captured records, and a logger that makes some. */
export interface Captured<A extends object = object, L extends string = never> extends CapturedLogs<L> {
  /** A logger whose records come here: for code under test that is handed its logger. It is new, and needs no shutdown. */
  readonly logger: RootLogger<A, L>
}

/**
 * Captures what is logged: parsed and typed, redacted and cut as when it leaves the process, and there as soon as the log call
 * has returned. It needs no test runner, adds no listener to the process, and leaves nothing open.
 *
 * @throws ConfigurationError with every problem of the options, or when a logger of `from` is a child, or stands in front of
 * a provider.
 *
 * @example
 * ```ts
 * using logs = captureLogs()
 * placeOrder(logs.logger)
 * assert.equal(logs.find({ level: 'warn', message: /out of stock/ })?.attributes.sku, 'a-1')
 * ```
 */
export function captureLogs<A extends object = object, L extends string = never>(
  options: CaptureOptions<A, L> = {},
): Captured<A, L> {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(options, '', problems, optionBags)
  const { from, clock = manualClock(), level = 'trace', ...others } = own
  const diverts = [from ?? []]
    .flat()
    .map((logger, index) => divertOf(logger, Array.isArray(from) ? `from[${index}]` : 'from', problems))
  for (const name of decided) {
    if (Object.hasOwn(others, name))
      problems.push({ code: 'SLUICE_OPTION_UNKNOWN', path: name, message: 'is not for captureLogs: it captures' })
  }
  if (problems.length > 0) throw new ConfigurationError(problems)

  const capture = new Capture()
  const exporter = capture.exporter({})
  const logger = createLogger<A, L>({ ...others, level, clock, exporter, handleExit: false, handleSignals: false })
  const releases = diverts.map((captureRecords) => captureRecords!(capture.sink(clock)))
  const logs = capturedLogs(capture, () => {
    for (const release of releases) release()
  })
  return addMembers(logs, { logger })
}

/** What it decides by itself. */
const decided: readonly (keyof LoggerOptions)[] = [
  'exporter',
  'provider',
  'profile',
  'handleExit',
  'handleSignals',
  'exitTimeoutMillis',
]

function divertOf(logger: AnyRootLogger, path: string, problems: ConfigurationProblem[]): CaptureRecords | undefined {
  const captureRecords = divertIn(logger)
  if (captureRecords !== undefined) return captureRecords
  const message =
    'must be a logger that createLogger has returned with exporters of its own, or `logger`; of a child, capture its parent'
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message })
  return undefined
}

function divertIn(logger: unknown): CaptureRecords | undefined {
  try {
    return (logger as { readonly [captureKey]?: CaptureRecords })[captureKey]
  } catch {
    return undefined
  }
}
