import { Writable } from 'node:stream'
import winston from 'winston'
import { format as ours, createLogger } from '../../../src/entries/winston.ts'
import { MESSAGE, type Format } from '../../../src/compat/winston/info.ts'
import type { LoggerOptions } from '../../../src/compat/winston/logger-options.ts'

/** What a test calls of either logger. */
export type AnyLogger = Readonly<Record<string, (...args: unknown[]) => unknown>>

/** The formats of winston, as far as both have them. */
export type Kinds = Record<string, (...options: unknown[]) => Format>

/** Calls a logger and returns the lines that it writes, in the turn of the call. */
export type Run = (options: (kinds: Kinds) => object, use: (logger: AnyLogger) => void) => unknown[]

function keeping(lines: unknown[]): Writable {
  return new Writable({
    objectMode: true,
    write(info: Record<symbol, unknown>, _, next) {
      lines.push(info[MESSAGE])
      next()
    },
  })
}

/** winston 3.19. */
export const theirs: Run = (options, use) => {
  const lines: unknown[] = []
  const transport = Object.assign(keeping(lines), { log: () => {} }) as never
  const logger = winston.createLogger({ ...options(winston.format as never), transports: [transport] })
  // Its pipe flows from the second turn on: here it flows at once.
  logger.resume()
  use(logger as never)
  return lines
}

/** This package. */
export const own: Run = (options, use) => {
  const lines: unknown[] = []
  const given = options(ours as never) as LoggerOptions
  const logger = createLogger({ ...given, transports: [keeping(lines)] })
  use(logger as never)
  return lines
}
