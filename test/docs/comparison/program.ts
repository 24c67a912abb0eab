// Logs one case with one logger to the standard output. Arguments: logger, case.
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { laterLevels } from './later-level.ts'
import { inspect } from 'node:util'

type Log = (attributes: object, message: string) => void

const loggers: Record<string, () => Promise<Log>> = {
  async sluice() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { limit } = await import('../../../src/entries/handlers.ts')
    const handler = limit({ first: 1, windowMillis: 60_000, keepLevel: 'silent' })
    const log = createLogger(isLimited ? { handler } : { baggage: ['tenant'], redact: ['password'] })
    if (isLimited) return (attributes, message) => log.error(message, attributes as never)
    return (attributes, message) => log.info(message, attributes as never)
  },
  async pino() {
    const { pino } = await import('pino')
    const log = pino({ redact: ['password'] })
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
  baggage() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    const baggage = propagation.createBaggage({ tenant: { value: 'acme' } })
    context.with(propagation.setBaggage(ROOT_CONTEXT, baggage), () => log({ a: 1 }, 'm'))
  },
  channel() {
    for (const channel of ['sluice:record', 'tracing:pino_asJson:end'])
      subscribe(channel, (message) => void writeSync(2, `received: ${inspect(message, { depth: 4 })}\n`))
    log({ password: 'hunter2' }, 'm')
  },
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

/** Logs a debug record for each of two requests, and an error for the first one, with the best that the logger has for that. */
const failedRequests: Record<string, () => Promise<void>> = {
  async sluice() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const log = createLogger({ recorder: { by: 'id' } })
    logRequests((id) => log.child({ id }))
  },
  async pino() {
    const { pino } = await import('pino')
    const log = pino({ level: 'debug' })
    logRequests((id) => {
      const child = log.child({ id })
      return {
        debug: (message, attributes) => child.debug(attributes, message),
        error: (message) => child.error(message),
      }
    })
  },
  async winston() {
    const winston = await import('winston')
    const transports = [new winston.transports.Console()]
    const log = winston.createLogger({ level: 'debug', format: winston.format.json(), transports })
    logRequests((id) => log.child({ id }))
  },
  async LogTape() {
    const { configure, fingersCrossed, getConsoleSink, getLogger, jsonLinesFormatter } =
      await import('@logtape/logtape')
    const sink = fingersCrossed(getConsoleSink({ formatter: jsonLinesFormatter }), {
      triggerLevel: 'error',
      isolateByContext: { keys: ['id'] },
    })
    await configure({
      reset: true,
      sinks: { sink },
      loggers: [
        { category: [], sinks: ['sink'], lowestLevel: 'debug' },
        { category: ['logtape', 'meta'], lowestLevel: 'error' },
      ],
    })
    logRequests((id) => getLogger('app').with({ id }))
  },
  async tslog() {
    const { Logger } = await import('tslog')
    const log = new Logger({ type: 'json' })
    logRequests((id) => {
      const child = log.getSubLogger({ name: id })
      return {
        debug: (message, attributes) => child.debug(attributes, message),
        error: (message) => child.error(message),
      }
    })
  },
}

interface RequestLogger {
  debug(message: string, attributes: Record<string, unknown>): unknown
  error(message: string): unknown
}

function logRequests(loggerOf: (id: string) => RequestLogger): void {
  const failed = loggerOf('failed')
  const order = { state: 'early' }
  failed.debug('debug of failed', { order })
  loggerOf('succeeded').debug('debug of succeeded', { order })
  order.state = 'late'
  failed.error('failure')
}

try {
  if (which === 'laterLevel') await laterLevels[name!]!()
  else if (which === 'recorder') await failedRequests[name!]!()
  else cases[which!]!()
} catch (error) {
  writeSync(2, `thrown: ${(error as Error).message}\n`)
}
