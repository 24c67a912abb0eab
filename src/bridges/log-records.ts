import type { RootLogger } from '../logger/types.ts'

/** Takes what is logged as OpenTelemetry log records, beside the lines. */
export interface LogRecords {
  /** @param level - the name of a standard level */
  emit(level: string, attributes: object, message: string | undefined): void
  flush(): Promise<unknown>
  flushSync(): unknown
  /** Closes the exporters when they have written what they have, or cannot in 30 s. Never rejects. */
  shutdown(): Promise<unknown>
}

const mostMillis = 30_000

type Method = (attributes: object, message?: string, value?: string) => void

/** Hands each record to `logger`, which has the standard levels. */
export function logRecords(logger: RootLogger): LogRecords {
  const methods = logger as unknown as Readonly<Record<string, Method>>
  return {
    emit(level, attributes, message) {
      const log = methods[level]!
      if (message === undefined || message === '') log(attributes)
      // Inserted, since nothing in it stands for an attribute.
      else log(attributes, '%s', message)
    },
    flush: () => logger.flush(),
    flushSync: () => logger.flushSync(),
    shutdown: () => logger.shutdown({ timeoutMillis: mostMillis }),
  }
}
