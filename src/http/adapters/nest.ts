import type { Logger } from '../../logger/types.ts'
import type { StandardLevel } from '../../record/severity.ts'
import { isError } from '../../values/is-error.ts'
import { checkLogger } from '../logger-check.ts'

/** Nest's names of levels. */
export type NestLevel = 'verbose' | 'debug' | 'log' | 'warn' | 'error' | 'fatal'

/** A LoggerService of NestJS 10 and 11. */
export interface NestLogger {
  /** Logs at the level `info`: the context, if any, is the last of `more`. */
  log(message: unknown, ...more: unknown[]): void
  /** Logs at the level `error`: a stack in front of the context is the exception's. */
  error(message: unknown, ...more: unknown[]): void
  /** Logs at the level `warn`. */
  warn(message: unknown, ...more: unknown[]): void
  /** Logs at the level `debug`. */
  debug(message: unknown, ...more: unknown[]): void
  /** Logs at the level `trace`. */
  verbose(message: unknown, ...more: unknown[]): void
  /** Logs at the level `fatal`. */
  fatal(message: unknown, ...more: unknown[]): void
  /**
   * Nest's own filter: what is neither listed nor more severe than all that is listed is not logged, whatever the logger's level
   * is. An empty list lets nothing through.
   */
  setLogLevels(levels: readonly NestLevel[]): void
}

/**
 * A logger for Nest, for its own records and for those of `new Logger('…')`: `verbose` is `trace`, `log` is `info`, what Nest calls
 * the context, a text at the end of the arguments, is the attribute `context`, and a stack is the exception's.
 *
 * @throws ConfigurationError when `logger` is none that `createLogger` of this package has made.
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

  /** One for each context, of which a program has as many as classes. */
  function childOf(context: string | undefined): Logger {
    if (context === undefined) return logger
    const known = children.get(context)
    if (known !== undefined) return known
    const child = logger.child({ context })
    if (children.size < mostChildren) children.set(context, child)
    return child
  }

  function say(nestLevel: NestLevel, level: StandardLevel, message: unknown, more: unknown[]): void {
    if (!levels.has(nestLevel)) return
    const context = contextOf(nestLevel, more)
    const stack = nestLevel === 'error' ? stackOf(more) : undefined
    const child = childOf(context)
    // The three signatures of a log method, by whatever Nest and its users hand in. An Error has a stack of its own.
    if (stack === undefined || isError(message)) return (child[level] as (...all: unknown[]) => void)(message, ...more)
    // A stack begins with what the error said; a message that is no text is kept beside it.
    const text = typeof message === 'string' ? message : stack.slice(0, stack.indexOf('\n'))
    const detail = typeof message === 'string' ? undefined : { detail: message }
    child[level]({ ...exceptionOf(stack), ...detail }, text, ...more)
  }

  return {
    log: (message, ...more) => say('log', 'info', message, more),
    error: (message, ...more) => say('error', 'error', message, more),
    warn: (message, ...more) => say('warn', 'warn', message, more),
    debug: (message, ...more) => say('debug', 'debug', message, more),
    verbose: (message, ...more) => say('verbose', 'trace', message, more),
    fatal: (message, ...more) => say('fatal', 'fatal', message, more),
    setLogLevels: (names) => void (levels = enabledBy(names)),
  }
}

const mostChildren = 1_000
const isStack = /\n[ \t]+at \S/
/** Nest's names, the least severe first. */
const nestLevels: readonly NestLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal']

function enabledBy(names: readonly NestLevel[]): ReadonlySet<NestLevel> {
  const highest = Math.max(...names.map((name) => nestLevels.indexOf(name)))
  return new Set(nestLevels.filter((level, index) => names.includes(level) || (highest >= 0 && index > highest)))
}

/** Takes the context from the end of the arguments. A stack that stands alone is no context. */
function contextOf(level: NestLevel, more: unknown[]): string | undefined {
  const last = more.at(-1)
  if (typeof last !== 'string' || (level === 'error' && more.length === 1 && isStack.test(last))) {
    // Nest hands on what is missing as undefined.
    if (last === undefined) more.pop()
    return undefined
  }
  more.pop()
  return last
}

/** Takes the stack from the end of what is left. */
function stackOf(more: unknown[]): string | undefined {
  const last = more.at(-1)
  if (last === undefined) more.pop()
  return typeof last === 'string' && isStack.test(last) ? (more.pop() as string) : undefined
}

/** What V8 wrote into a stack: the class, perhaps a code of Node's, and the message, which may have several lines. */
function exceptionOf(stack: string): object {
  const header = stack.slice(0, stack.search(isStack))
  const [whole = '', type] = /^([\w$.]+)(?: \[\w+\])?(?:: |$)/.exec(header) ?? []
  return {
    'exception.type': type,
    'exception.message': header.slice(whole.length),
    'exception.stacktrace': stack,
  }
}
