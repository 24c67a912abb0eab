import { checkedConsoleOptions, type CaptureConsoleOptions, type ConsoleCapture } from '../console/options.ts'
import { processInterceptors, type ConsoleInterceptors, type ConsoleInterceptor } from '../console/interceptors.ts'
import { defaultLevels, type ConsoleMethod } from '../console/methods.ts'
import { openPassthrough } from '../console/passthrough.ts'
import { createRecordsInterceptor } from '../console/records.ts'
import { logger as defaultLogger } from './default-logger.ts'
import { isLevelMethodName } from '../logger/levels.ts'
import type { FlushResult, Logger, Stats } from '../logger/types.ts'
import { patternsKey, emitCallKey, type EmitCall } from '../logger/log-call.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { quotedWord, suggestionText } from '../options/option-checks.ts'
import { levelSynonymsIn } from '../record/level-names.ts'
import { standardLevels } from '../record/severity.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import { compileRedaction, type Redaction } from '../redact/redact.ts'
import { member } from '../options/own-members.ts'

/** The interceptor of a console capture, and the delivery of the captured output. */
interface CaptureParts extends Omit<LoggerDelivery, 'shutdown'> {
  readonly interceptor: ConsoleInterceptor
  /** Delivers the remaining output, and closes what belongs to the capture. */
  close: LoggerDelivery['shutdown']
}

/**
 * Captures everything that the program prints through `console`. The output is buffered, written in large pieces without blocking
 * the event loop, and flushed when the process exits through `process.exit()`, an uncaught error or a signal. The text is
 * formatted as Node formats it; groups, counters and timers continue to work, including those started before or ended after the
 * capture.
 *
 * The mode `passthrough` keeps the bytes unchanged. If standard output and standard error are the same file, lines keep the order
 * of the calls; otherwise each stream keeps its own order, and neither waits for the other. The mode `records` creates a record
 * for each call that prints.
 *
 * If the console is captured again, the later capture receives the output until its `release()`. Text that is written with
 * `process.stdout.write` is not captured, and can appear before text that was printed earlier.
 *
 * @throws ConfigurationError with every problem of the options, or if another logger writes to the same destination with
 * different options
 *
 * @example
 * ```ts
 * const captured = captureConsole()
 * console.log('written at the end of the turn')
 * await captured.release()
 * ```
 */
export function captureConsole(options: CaptureConsoleOptions = {}): ConsoleCapture {
  return captureConsoleWith(options, processInterceptors())
}

/** Captures the console to which these interceptors belong. */
export function captureConsoleWith(options: CaptureConsoleOptions, interceptors: ConsoleInterceptors): ConsoleCapture {
  const problems: ConfigurationProblem[] = []
  const checkedOptions = checkedConsoleOptions(options, problems)
  const redaction = compileRedaction(checkedOptions.redact, 'redact', problems)
  const logger = checkedOptions.mode === 'records' ? ((checkedOptions.logger ?? defaultLogger) as Logger) : undefined
  const levels = { ...defaultLevels, ...checkedOptions.levels }
  if (logger !== undefined && problems.every(({ path }) => path !== 'logger')) checkLevels(logger, levels, problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'captureConsole')
  const parts =
    logger === undefined
      ? passthroughParts(checkedOptions, redaction, interceptors)
      : recordParts(checkedOptions, logger, levels, interceptors)
  const removeInterceptor = interceptors.add(parts.interceptor)
  let releaseResult: Promise<FlushResult> | undefined

  const capture: ConsoleCapture = {
    flush: (flushOptions) => parts.flush(flushOptions),
    flushSync: (timeoutMillis) => parts.flushSync(timeoutMillis),
    stats: (): Stats => parts.stats(),
    release(flushOptions) {
      if (releaseResult !== undefined) return releaseResult
      // Flush first: output that is printed after the release is not buffered.
      parts.flushSync(undefined)
      removeInterceptor()
      return (releaseResult = parts.close(flushOptions))
    },
    [Symbol.asyncDispose]: async () => void (await capture.release()),
  }
  return capture
}

function passthroughParts(
  options: CaptureConsoleOptions,
  redaction: Redaction,
  interceptors: ConsoleInterceptors,
): CaptureParts {
  const { interceptor, delivery } = openPassthrough(options, redaction, interceptors)
  return { interceptor, ...delivery, close: (flushOptions) => delivery.shutdown(flushOptions) }
}

function recordParts(
  { redact, objects = 'text' }: CaptureConsoleOptions,
  logger: Logger,
  levels: Readonly<Record<ConsoleMethod, string>>,
  interceptors: ConsoleInterceptors,
): CaptureParts {
  const captureLogger = redact === undefined ? logger : logger.child({}, { redact })
  const { [emitCallKey]: emitCall, [patternsKey]: getPatterns } = captureLogger as unknown as InternalMembers
  const isEnabled = (level: string): boolean => captureLogger.isLevelEnabled(level as 'info')
  return {
    interceptor: createRecordsInterceptor(
      { levels, objects, emitCall, patterns: getPatterns?.(), isEnabled },
      interceptors,
    ),
    flush: (flushOptions) => captureLogger.flush(flushOptions),
    flushSync: (timeoutMillis) => captureLogger.flushSync(timeoutMillis),
    stats: () => captureLogger.stats(),
    // The logger belongs to the caller and stays open.
    close: (flushOptions) => captureLogger.flush(flushOptions),
  }
}

/** The members of a logger that other APIs of this package use. */
interface InternalMembers {
  readonly [emitCallKey]: EmitCall
  readonly [patternsKey]?: () => TextPatterns | undefined
}

/** Checks that the logger has the configured levels. */
function checkLevels(
  logger: Logger,
  levels: Readonly<Record<ConsoleMethod, string>>,
  problems: ConfigurationProblem[],
): void {
  const suggestedLevels = [...standardLevels, 'silent']
  for (const [method, level] of Object.entries(levels)) {
    // A level that is not a string was reported by the check of the options.
    if (
      typeof level !== 'string' ||
      level === 'silent' ||
      (isLevelMethodName(level) && typeof member(logger as unknown as Record<string, unknown>, level) === 'function')
    )
      continue
    const advice = suggestionText(level, suggestedLevels, levelSynonymsIn(suggestedLevels))
    const message = `the logger has no level${quotedWord(level)}${advice === '' ? '; use one of its levels, or silent' : advice}`
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: `levels.${method}`, message })
  }
}
