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

/** What takes the console, and what becomes of what it took. */
interface Captor extends Omit<LoggerDelivery, 'shutdown'> {
  readonly interceptor: ConsoleInterceptor
  close: LoggerDelivery['shutdown']
}

/**
 * Captures what the program prints by `console`, whoever in it does: buffered, written in large pieces and without holding up
 * the event loop, and written to the end when the process ends, by `process.exit()`, an uncaught error or a signal. What
 * is printed looks as Node makes it; groups, counters and timers go on, also those from before and after.
 *
 * `passthrough` keeps the bytes. Where the standard output and error are the same file, lines keep the order of the calls; else
 * each keeps its own, and neither waits for the other. `records` makes a record of each call that prints.
 *
 * Whoever captures what is captured already has it until `release()`. Text written by `process.stdout.write` itself
 * does not pass here, and may stand before what was printed earlier.
 *
 * @throws ConfigurationError with every problem of the options; when another logger writes to the same place with other options.
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
  if (problems.length > 0) throw new ConfigurationError(problems)
  const captor = logger === undefined ? passing(own, redaction, hooks) : recording(own, logger, levels, hooks)
  const takeOff = hooks.add(captor.interceptor)
  let released: Promise<FlushResult> | undefined

  const capture: ConsoleCapture = {
    flush: (given) => captor.flush(given),
    flushSync: (deadlineMillis) => captor.flushSync(deadlineMillis),
    stats: (): Stats => captor.stats(),
    release(given) {
      if (released !== undefined) return released
      // First what waits: what is printed from now on does not.
      captor.flushSync(undefined)
      takeOff()
      return (released = captor.close(given))
    },
    [Symbol.asyncDispose]: async () => void (await capture.release()),
  }
  return capture
}

function passing(options: CaptureConsoleOptions, redaction: Redaction, hooks: Hooks): Captor {
  const { interceptor, delivery } = passthrough(options, redaction, hooks)
  return { interceptor, ...delivery, close: (given) => delivery.shutdown(given) }
}

function recording(
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
    flush: (given) => own.flush(given),
    flushSync: (deadlineMillis) => own.flushSync(deadlineMillis),
    stats: () => own.stats(),
    close: (given) => own.flush(given),
  }
}

/** What a logger has for fronts. */
interface OwnMembers {
  readonly [emitCallKey]: EmitCall
  readonly [patternsKey]?: () => TextPatterns | undefined
}

/** What only the logger can say. */
function checkRecords(
  logger: Logger,
  levels: Readonly<Record<ConsoleMethod, string>>,
  problems: ConfigurationProblem[],
): void {
  for (const [method, level] of Object.entries(levels)) {
    if (level === 'silent' || typeof member(logger as unknown as Record<string, unknown>, level) === 'function')
      continue
    const message = `the logger has no level${quotedWord(level)}`
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: `levels.${method}`, message })
  }
}
