import type { Logger, RootLogger } from '../../logger/types.ts'

/** Takes what is logged as OpenTelemetry log records, beside the lines. */
export interface RecordsOfLogger {
  /**
   * @param level - the name of one of the logger's levels
   * @param error - the exception, where no attribute is
   */
  emit(level: string, attributes: object, message: string | undefined, error?: object): void
  flush(): Promise<unknown>
  flushSync(): unknown
}

/** The same of a logger that nobody else holds. */
export interface LogRecords extends RecordsOfLogger {
  /** Closes the exporters when they have written what they have, or cannot in 30 s. Never rejects. */
  shutdown(): Promise<unknown>
}

const mostMillis = 30_000

type Method = (...args: unknown[]) => void

/** Hands each record to `logger`. */
export function recordsOfLogger(logger: Logger): RecordsOfLogger {
  const methods = logger as unknown as Readonly<Record<string, Method>>
  return {
    emit(level, attributes, message, error) {
      const log = methods[level]!
      // Inserted, since nothing in it stands for an attribute.
      const said = message === undefined ? [] : ['%s', message]
      if (error === undefined) log(attributes, ...said)
      else log(error, ...said, attributes)
    },
    flush: () => logger.flush(),
    flushSync: () => logger.flushSync(),
  }
}

/** Hands each record to `logger`, and closes it. */
export function logRecords(logger: RootLogger): LogRecords {
  return { ...recordsOfLogger(logger), shutdown: () => logger.shutdown({ timeoutMillis: mostMillis }) }
}
