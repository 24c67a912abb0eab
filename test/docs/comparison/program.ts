// Logs one case with one logger to the standard output. Arguments: logger, case.
import { writeSync } from 'node:fs'

type Log = (attributes: object, message: string) => void

const loggers: Record<string, () => Promise<Log>> = {
  async sluice() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { limit } = await import('../../../src/entries/handlers.ts')
    const handler = limit({ first: 1, windowMillis: 60_000, keepLevel: 'silent' })
    const log = createLogger(isLimited ? { handler } : {})
    if (isLimited) return (attributes, message) => log.error(message, attributes as never)
    return (attributes, message) => log.info(message, attributes as never)
  },
  async pino() {
    const { pino } = await import('pino')
    const log = pino()
    return (attributes, message) => log.info(attributes, message)
  },
  async winston() {
    const winston = await import('winston')
    const transports = [new winston.transports.Console()]
    const log = winston.createLogger({ format: winston.format.json(), transports })
    return (attributes, message) => log.info(message, attributes)
  },
  async LogTape() {
    const { configure, getConsoleSink, getLogger, getThrottlingFilter, jsonLinesFormatter, withFilter } =
      await import('@logtape/logtape')
    const consoleSink = getConsoleSink({ formatter: jsonLinesFormatter })
    const logger = {
      error: (message: string, properties: object) => getLogger('summary').error(message, { ...properties }),
    }
    const throttling = getThrottlingFilter({ limit: 1, windowMs: 60_000, summary: { logger } })
    const sinks = { console: isLimited ? withFilter(consoleSink, throttling) : consoleSink }
    await configure({
      sinks,
      loggers: [
        { category: [], sinks: ['console'], lowestLevel: 'info' },
        { category: ['logtape', 'meta'], sinks: ['console'], lowestLevel: 'error' },
      ],
    })
    const log = getLogger('app')
    return (attributes, message) => log.info(message, attributes as Record<string, unknown>)
  },
  async tslog() {
    const { Logger } = await import('tslog')
    const log = new Logger({ type: 'json' })
    return (attributes, message) => log.info(attributes, message)
  },
}

const [, , name, which] = process.argv
/** Whether the logger is created with its own rate limit, if it has one. */
const isLimited = which === 'storm'
const log = await loggers[name!]!()

function burst(): void {
  for (let seq = 0; seq < 2_000; seq++) log({ seq, text: 'x'.repeat(200) }, 'line')
}

const cases: Record<string, () => void> = {
  storm() {
    for (let seq = 0; seq < 1_000; seq++) log({ seq }, 'connection lost')
  },
  getter: () =>
    log(
      {
        get a() {
          throw new Error('no')
        },
        b: 2,
      },
      'm',
    ),
  bigint: () => log({ a: 1n }, 'm'),
  collections: () => log({ map: new Map([['k', 1]]), set: new Set([1]) }, 'm'),
  error: () => log({ reason: new TypeError('declined') }, 'm'),
  level: () => log({ level: 'mine' }, 'm'),
  exit() {
    burst()
    process.exit(0)
  },
  sigterm() {
    burst()
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => {}, 5_000)
  },
}

try {
  cases[which!]!()
} catch (error) {
  writeSync(2, `thrown: ${(error as Error).message}\n`)
}
