import type { Logger, RootLogger } from '../../logger/types.ts'

/** Emits the calls of a compatible logger as OpenTelemetry log records, in addition to its lines. */
export interface RecordEmitter {
  /**
   * Emits a record.
   *
   * @param level - the name of one of the logger's levels
   * @param error - the exception, unless an attribute contains it
   */
  emit(level: string, attributes: object, message: string | undefined, error?: object): void
  flush(): Promise<unknown>
  flushSync(): unknown
}

/** A `RecordEmitter` whose logger is used for nothing else, so it can be shut down. */
export interface ClosableRecordEmitter extends RecordEmitter {
  /** Closes the exporters after they have written everything, or after 30 seconds. Never rejects. */
  shutdown(): Promise<unknown>
}

const shutdownTimeoutMillis = 30_000

type Method = (...args: unknown[]) => void

/** Creates an emitter that logs each record with `logger`. */
export function createRecordEmitter(logger: Logger): RecordEmitter {
  const methods = logger as unknown as Readonly<Record<string, Method>>
  return {
    emit(level, attributes, message, error) {
      const log = methods[level]!
      // The message is inserted into `%s`, so that placeholders in it are not interpreted.
      const messageArguments = message === undefined ? [] : ['%s', message]
      if (error === undefined) log(attributes, ...messageArguments)
      else log(error, ...messageArguments, attributes)
    },
    flush: () => logger.flush(),
    flushSync: () => logger.flushSync(),
  }
}

/** Creates an emitter that logs each record with `logger`, and whose `shutdown` shuts down this logger. */
export function createClosableRecordEmitter(logger: RootLogger): ClosableRecordEmitter {
  return { ...createRecordEmitter(logger), shutdown: () => logger.shutdown({ timeoutMillis: shutdownTimeoutMillis }) }
}
