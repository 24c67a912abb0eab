import { importRival } from './rival.ts'
import { pinoBuffered } from './pino-buffered.ts'
import { pinoSync } from './pino-sync.ts'
import type { Framework, Log, LogSetup, RequestLog, Subject } from './subject.ts'

const names = 'with pino-http 11, koa-pino-logger 5, hono-pino 0.10, nestjs-pino 5 or fastify 5.12'

/** The usual request logger of pino for each framework. Its records have additional attributes, such as headers and addresses. */
export const pinoHttp: Subject = requestSubject(`pino 10.4, sync: true, ${names}`, pinoSync)

/** The same with the fastest configuration of pino. */
export const pinoHttpBuffered: Subject = requestSubject(
  `pino 10.4, sync: true, minLength: 4096, ${names}`,
  pinoBuffered,
)

function requestSubject(title: string, { open: openPino, read, whenFull }: Subject): Subject {
  async function open(setup: LogSetup, build: string): Promise<Log> {
    const log = await openPino(setup, build)
    return { ...log, requestLog: (framework, records) => requestLogs[framework](log.logger!, records) }
  }
  return { title, whenFull, open, read }
}

const requestLogs: Readonly<Record<Framework, (logger: object, records: 1 | 2) => Promise<RequestLog>>> = {
  node: pinoHttpLog,
  express: pinoHttpLog,
  fastify: async (loggerInstance) => ({ options: { loggerInstance }, shape: { records: 2, hasDuration: true } }),
  async koa(logger, records) {
    const { default: middlewareOf } = await importRival<MiddlewareModule>('koa-pino-logger')
    return { middleware: middlewareOf({ logger, ...received(records) }), shape: { records, hasDuration: true } }
  },
  async hono(pino, records) {
    const { pinoLogger } = await importRival<{ pinoLogger(options: object): unknown }>('hono-pino')
    const http = records === 2 ? { onReqMessage: () => 'request received' } : {}
    return { middleware: pinoLogger({ pino, http }), shape: { records, hasDuration: true } }
  },
  async nest(logger, records) {
    const { LoggerModule } = await importRival<{ LoggerModule: { forRoot(options: object): unknown } }>('nestjs-pino')
    const module = LoggerModule.forRoot({ pinoHttp: { logger, ...received(records) } })
    return { modules: [module], shape: { records, hasDuration: true } }
  },
}

interface MiddlewareModule {
  readonly default: (options: object) => unknown
}

async function pinoHttpLog(logger: object, records: 1 | 2): Promise<RequestLog> {
  const { default: middlewareOf } = await importRival<MiddlewareModule>('pino-http')
  return { middleware: middlewareOf({ logger, ...received(records) }), shape: { records, hasDuration: true } }
}

/** Returns options of pino-http for a record at the start of a request. */
const received = (records: 1 | 2): object => (records === 2 ? { customReceivedMessage: () => 'request received' } : {})
