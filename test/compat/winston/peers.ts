import { Writable } from 'node:stream'
import winston from 'winston'
import { format as ours, createLogger } from '../../../src/entries/winston.ts'
import { MESSAGE, type Format } from '../../../src/compat/winston/info.ts'
import type { LoggerOptions } from '../../../src/compat/winston/logger-options.ts'

/** Methods of either logger that the tests call. */
export type AnyLogger = Readonly<Record<string, (...args: unknown[]) => unknown>>

/** The formats that both packages have. */
export type Formats = Record<string, (...options: unknown[]) => Format>

/** Creates a logger, calls it, and returns the lines that it writes in the same turn. */
export type Run = (options: (formats: Formats) => object, use: (logger: AnyLogger) => void) => unknown[]

function storingStream(lines: unknown[]): Writable {
  return new Writable({
    objectMode: true,
    write(info: Record<symbol, unknown>, _, next) {
      lines.push(info[MESSAGE])
      next()
    },
  })
}

/** Runs winston 3.19. */
export const runWinston: Run = (options, use) => {
  const lines: unknown[] = []
  const transport = Object.assign(storingStream(lines), { log: () => {} }) as never
  const logger = winston.createLogger({ ...options(winston.format as never), transports: [transport] })
  // winston's stream starts to flow in the next turn, and the lines are read in this one.
  logger.resume()
  use(logger as never)
  return lines
}

/** Runs `createLogger` of this package. */
export const runSluice: Run = (options, use) => {
  const lines: unknown[] = []
  const given = options(ours as never) as LoggerOptions
  const logger = createLogger({ ...given, transports: [storingStream(lines)] })
  use(logger as never)
  return lines
}
