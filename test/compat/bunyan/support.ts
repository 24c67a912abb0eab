import { createLogger, type Logger, type LoggerOptions } from '../../../src/entries/bunyan.ts'
import { Lines } from '../pino/support.ts'

/** Creates a logger with a stream that stores its lines. */
export function logged(options: Partial<LoggerOptions> = {}): { log: Logger; kept: Lines } {
  const kept = new Lines()
  return { log: createLogger({ name: 'test', stream: kept, ...options }), kept }
}
