import { checkedConsoleOptions, type CaptureConsoleOptions, type ConsoleCapture } from '../console/options.ts'
import { processHooks, type Hooks, type ConsoleInterceptor } from '../console/hooks.ts'
import { defaultLevels, type ConsoleMethod } from '../console/methods.ts'
import { passthrough } from '../console/passthrough.ts'
import { recordsTap } from '../console/records.ts'
import { logger as defaultLogger } from './default-logger.ts'
import type { FlushResult, Logger, Stats } from '../logger/types.ts'
import { patternsKey, emitCallKey, type EmitCall } from '../logger/log-call.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { quotedWord } from '../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import { compileRedaction, type Redaction } from '../redact/redact.ts'
import { member } from '../options/own-members.ts'

/** The interceptor of a console capture, and the delivery of the captured output. */
interface Captor extends Omit<LoggerDelivery, 'shutdown'> {
  readonly interceptor: ConsoleInterceptor
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
  return captureWith(options, processHooks())
}

/** Captures the console of these hooks. */
export function captureWith(options: CaptureConsoleOptions, hooks: Hooks): ConsoleCapture {
  const problems: ConfigurationProblem[] = []
  const own = checkedConsoleOptions(options, problems)
  const redaction = compileRedaction(own.redact, 'redact', problems)
  const logger = own.mode === 'records' ? ((own.logger ?? defaultLogger) as Logger) : undefined
  const levels = { ...defaultLevels, ...own.levels }
  if (logger !== undefined && problems.length === 0) checkRecords(logger, levels, problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'captureConsole')
  const captor =
    logger === undefined ? passthroughCaptor(own, redaction, hooks) : recordsCaptor(own, logger, levels, hooks)
  const removeInterceptor = hooks.add(captor.interceptor)
  let released: Promise<FlushResult> | undefined

  const capture: ConsoleCapture = {
    flush: (flushOptions) => captor.flush(flushOptions),
    flushSync: (deadlineMillis) => captor.flushSync(deadlineMillis),
    stats: (): Stats => captor.stats(),
    release(flushOptions) {
      if (released !== undefined) return released
      // Flush first: output that is printed after the release is not buffered.
      captor.flushSync(undefined)
      removeInterceptor()
      return (released = captor.close(flushOptions))
    },
    [Symbol.asyncDispose]: async () => void (await capture.release()),
  }
  return capture
}

function passthroughCaptor(options: CaptureConsoleOptions, redaction: Redaction, hooks: Hooks): Captor {
  const { interceptor, delivery } = passthrough(options, redaction, hooks)
  return { interceptor, ...delivery, close: (flushOptions) => delivery.shutdown(flushOptions) }
}

function recordsCaptor(
  { redact, objects = 'text' }: CaptureConsoleOptions,
  logger: Logger,
  levels: Readonly<Record<ConsoleMethod, string>>,
  hooks: Hooks,
): Captor {
  const own = redact === undefined ? logger : logger.child({}, { redact })
  const { [emitCallKey]: emitCall, [patternsKey]: patternsOf } = own as unknown as OwnMembers
  const isEnabled = (level: string): boolean => own.isLevelEnabled(level as 'info')
  return {
    interceptor: recordsTap({ levels, objects, emitCall, patterns: patternsOf?.(), isEnabled }, hooks),
    flush: (flushOptions) => own.flush(flushOptions),
    flushSync: (deadlineMillis) => own.flushSync(deadlineMillis),
    stats: () => own.stats(),
    close: (flushOptions) => own.flush(flushOptions),
  }
}

/** The members of a logger that compat APIs use. */
interface OwnMembers {
  readonly [emitCallKey]: EmitCall
  readonly [patternsKey]?: () => TextPatterns | undefined
}

/** Checks that the logger has the configured levels. */
function checkRecords(
  logger: Logger,
  levels: Readonly<Record<ConsoleMethod, string>>,
  problems: ConfigurationProblem[],
): void {
  for (const [method, level] of Object.entries(levels)) {
    if (level === 'silent' || typeof member(logger as unknown as Record<string, unknown>, level) === 'function')
      continue
    const message = `the logger has no level${quotedWord(level)}; use one of its levels, or silent`
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: `levels.${method}`, message })
  }
}
