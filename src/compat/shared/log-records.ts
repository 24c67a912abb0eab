import type { Logger, RootLogger } from '../../logger/types.ts'

/** Emits the calls of a compatible logger as OpenTelemetry log records, in addition to its lines. */
export interface RecordsOfLogger {
  /**
   * @param level - the name of one of the logger's levels
   * @param error - the exception, unless an attribute contains it
   */
  emit(level: string, attributes: object, message: string | undefined, error?: object): void
  flush(): Promise<unknown>
  flushSync(): unknown
}

/** The same for a logger that is used for nothing else, and so can be shut down. */
export interface LogRecords extends RecordsOfLogger {
  /** Closes the exporters after they have written everything, or after 30 seconds. Never rejects. */
  shutdown(): Promise<unknown>
}

const maxMillis = 30_000

type Method = (...args: unknown[]) => void

/** Returns an object that emits each record through `logger`. */
export function recordsOfLogger(logger: Logger): RecordsOfLogger {
  const methods = logger as unknown as Readonly<Record<string, Method>>
  return {
    emit(level, attributes, message, error) {
      const log = methods[level]!
      // Passed as an argument, so that placeholders in the text are not interpreted.
      const messageArguments = message === undefined ? [] : ['%s', message]
      if (error === undefined) log(attributes, ...messageArguments)
      else log(error, ...messageArguments, attributes)
    },
    flush: () => logger.flush(),
    flushSync: () => logger.flushSync(),
  }
}

/** Returns an object that emits each record through `logger`, and shuts it down. */
export function logRecords(logger: RootLogger): LogRecords {
  return { ...recordsOfLogger(logger), shutdown: () => logger.shutdown({ timeoutMillis: maxMillis }) }
}
