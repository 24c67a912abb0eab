import type { Logger } from '../../logger/types.ts'
import type { StandardLevel } from '../../record/severity.ts'
import { isError } from '../../values/is-error.ts'
import { checkNestLogger } from '../logger-check.ts'

/** The level names of NestJS. */
export type NestLevel = 'verbose' | 'debug' | 'log' | 'warn' | 'error' | 'fatal'

/** A `LoggerService` of NestJS 10 and 11. */
export interface NestLogger {
  /** Logs at level `info`. If the last of `more` is a string, it is the context. */
  log(message: unknown, ...more: unknown[]): void
  /** Logs at level `error`. A stack at the end or before the context is used as the stack of the exception. */
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
  checkNestLogger(logger)
  const children = new Map<string, Logger>()
  let enabledLevels: ReadonlySet<NestLevel> = new Set(nestLevels)

  /** Returns the child logger of a context. A program has about one context for each class, so the children are kept. */
  function childOf(context: string | undefined): Logger {
    if (context === undefined) return logger
    const existing = children.get(context)
    if (existing !== undefined) return existing
    const child = logger.child({ context })
    if (children.size < maxChildren) children.set(context, child)
    return child
  }

  function log(nestLevel: NestLevel, level: StandardLevel, message: unknown, more: unknown[]): void {
    if (!enabledLevels.has(nestLevel)) return
    const context = takeContext(nestLevel, more)
    const stack = nestLevel === 'error' ? takeStack(more) : undefined
    const child = childOf(context)
    // Without a separate stack, the arguments are passed on, so that each signature of the log method works. An Error has its own stack.
    if (stack === undefined || isError(message)) return (child[level] as (...all: unknown[]) => void)(message, ...more)
    // A stack begins with the class and message of the error. A message that is not a string is kept as the attribute `detail`.
    const text = typeof message === 'string' ? message : stack.slice(0, stack.indexOf('\n'))
    const detail = typeof message === 'string' ? undefined : { detail: message }
    child[level]({ ...exceptionAttributes(stack), ...detail }, text, ...more)
  }

  return {
    log: (message, ...more) => log('log', 'info', message, more),
    error: (message, ...more) => log('error', 'error', message, more),
    warn: (message, ...more) => log('warn', 'warn', message, more),
    debug: (message, ...more) => log('debug', 'debug', message, more),
    verbose: (message, ...more) => log('verbose', 'trace', message, more),
    fatal: (message, ...more) => log('fatal', 'fatal', message, more),
    setLogLevels: (names) => void (enabledLevels = levelsEnabledBy(names)),
  }
}

const maxChildren = 1_000
const stackFrame = /\n[ \t]+at \S/
/** Nest's level names in order of increasing severity. */
const nestLevels: readonly NestLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal']

function levelsEnabledBy(names: readonly NestLevel[]): ReadonlySet<NestLevel> {
  const highest = Math.max(...names.map((name) => nestLevels.indexOf(name)))
  return new Set(nestLevels.filter((level, index) => names.includes(level) || (highest >= 0 && index > highest)))
}

/** Removes the context from the end of the arguments and returns it. A stack as the only argument is not a context. */
function takeContext(level: NestLevel, more: unknown[]): string | undefined {
  const last = more.at(-1)
  if (typeof last !== 'string' || (level === 'error' && more.length === 1 && stackFrame.test(last))) {
    // Nest passes undefined for a missing context.
    if (last === undefined) more.pop()
    return undefined
  }
  more.pop()
  return last
}

/** Removes the stack from the end of the remaining arguments and returns it. */
function takeStack(more: unknown[]): string | undefined {
  const last = more.at(-1)
  if (last === undefined) more.pop()
  return typeof last === 'string' && stackFrame.test(last) ? (more.pop() as string) : undefined
}

/**
 * Returns the exception attributes of a stack. V8 writes the class, an optional Node error code, and the message, which may have
 * several lines.
 */
function exceptionAttributes(stack: string): object {
  const header = stack.slice(0, stack.search(stackFrame))
  const [prefix = '', type] = /^([\w$.]+)(?: \[\w+\])?(?:: |$)/.exec(header) ?? []
  return {
    'exception.type': type,
    'exception.message': header.slice(prefix.length),
    'exception.stacktrace': stack,
  }
}
