import type { Logger } from '../../logger/types.ts'
import type { StandardLevel } from '../../record/severity.ts'
import { isError } from '../../values/is-error.ts'
import { checkLogger } from '../logger-check.ts'

/** The level names of NestJS. */
export type NestLevel = 'verbose' | 'debug' | 'log' | 'warn' | 'error' | 'fatal'

/** A `LoggerService` of NestJS 10 and 11. */
export interface NestLogger {
  /** Logs at level `info`. The last of `more` is the context, if any. */
  log(message: unknown, ...more: unknown[]): void
  /** Logs at level `error`. A stack before the context is used as the stack of the exception. */
  error(message: unknown, ...more: unknown[]): void
  /** Logs at level `warn`. */
  warn(message: unknown, ...more: unknown[]): void
  /** Logs at level `debug`. */
  debug(message: unknown, ...more: unknown[]): void
  /** Logs at level `trace`. */
  verbose(message: unknown, ...more: unknown[]): void
  /** Logs at level `fatal`. */
  fatal(message: unknown, ...more: unknown[]): void
  /**
   * Sets the level filter of Nest: a level is logged when it is listed, or is more severe than every listed level. It applies in
   * addition to the logger's own level. An empty list disables all levels.
   */
  setLogLevels(levels: readonly NestLevel[]): void
}

/**
 * Creates a logger for NestJS, for the framework's own records and for `new Logger('…')`. `verbose` is mapped to `trace` and `log`
 * to `info`. Nest's context, a string at the end of the arguments, becomes the attribute `context`, and a stack becomes that of the
 * exception.
 *
 * @throws ConfigurationError when `logger` was not created by this package's `createLogger`.
 *
 * @example
 * ```ts
 * const app = await NestFactory.create(AppModule, { logger: nestLogger(logger) })
 * app.use(requestLog({ logger }))
 * ```
 */
export function nestLogger(logger: Logger): NestLogger {
  checkLogger(logger)
  const children = new Map<string, Logger>()
  let levels: ReadonlySet<NestLevel> = new Set(nestLevels)

  /** Returns a child logger for each context. A program has as many contexts as classes. */
  function childOf(context: string | undefined): Logger {
    if (context === undefined) return logger
    const existing = children.get(context)
    if (existing !== undefined) return existing
    const child = logger.child({ context })
    if (children.size < maxChildren) children.set(context, child)
    return child
  }

  function log(nestLevel: NestLevel, level: StandardLevel, message: unknown, more: unknown[]): void {
    if (!levels.has(nestLevel)) return
    const context = contextOf(nestLevel, more)
    const stack = nestLevel === 'error' ? stackOf(more) : undefined
    const child = childOf(context)
    // Pass the arguments to a log method, which supports all of its three signatures. An Error has its own stack.
    if (stack === undefined || isError(message)) return (child[level] as (...all: unknown[]) => void)(message, ...more)
    // A stack begins with the error's message. A message that is not a string is kept as the attribute `detail`.
    const text = typeof message === 'string' ? message : stack.slice(0, stack.indexOf('\n'))
    const detail = typeof message === 'string' ? undefined : { detail: message }
    child[level]({ ...exceptionOf(stack), ...detail }, text, ...more)
  }

  return {
    log: (message, ...more) => log('log', 'info', message, more),
    error: (message, ...more) => log('error', 'error', message, more),
    warn: (message, ...more) => log('warn', 'warn', message, more),
    debug: (message, ...more) => log('debug', 'debug', message, more),
    verbose: (message, ...more) => log('verbose', 'trace', message, more),
    fatal: (message, ...more) => log('fatal', 'fatal', message, more),
    setLogLevels: (names) => void (levels = enabledBy(names)),
  }
}

const maxChildren = 1_000
const isStack = /\n[ \t]+at \S/
/** Nest's level names in order of increasing severity. */
const nestLevels: readonly NestLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal']

function enabledBy(names: readonly NestLevel[]): ReadonlySet<NestLevel> {
  const highest = Math.max(...names.map((name) => nestLevels.indexOf(name)))
  return new Set(nestLevels.filter((level, index) => names.includes(level) || (highest >= 0 && index > highest)))
}

/** Removes the context from the end of the arguments and returns it. A stack as the only argument is not a context. */
function contextOf(level: NestLevel, more: unknown[]): string | undefined {
  const last = more.at(-1)
  if (typeof last !== 'string' || (level === 'error' && more.length === 1 && isStack.test(last))) {
    // Nest passes undefined for a missing context.
    if (last === undefined) more.pop()
    return undefined
  }
  more.pop()
  return last
}

/** Removes the stack from the end of the remaining arguments and returns it. */
function stackOf(more: unknown[]): string | undefined {
  const last = more.at(-1)
  if (last === undefined) more.pop()
  return typeof last === 'string' && isStack.test(last) ? (more.pop() as string) : undefined
}

/**
 * Returns the exception attributes of a stack. V8 writes the class, an optional Node error code, and the message, which may have
 * several lines.
 */
function exceptionOf(stack: string): object {
  const header = stack.slice(0, stack.search(isStack))
  const [whole = '', type] = /^([\w$.]+)(?: \[\w+\])?(?:: |$)/.exec(header) ?? []
  return {
    'exception.type': type,
    'exception.message': header.slice(whole.length),
    'exception.stacktrace': stack,
  }
}
