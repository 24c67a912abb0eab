import { importRival } from './rival.ts'
import { pinoSync } from './pino-sync.ts'
import type { Pino } from './pino.ts'
import type { Line, Log, LogSetup, OwnRequestLog, Subject } from './subject.ts'

/** The middleware of pino's own, with a record at both ends. They say more than those of the others: headers, addresses. */
export const pinoHttp: Subject = requestSubject(
  'pino-http 11, customReceivedMessage, with pino 10.4, sync: true',
  async () => {
    const { logger, records } = await countedPino()
    const { default: middlewareOf } = await importRival<{ default: (options: object) => unknown }>('pino-http')
    return { middleware: middlewareOf({ logger, customReceivedMessage: () => 'request received' }), records }
  },
)

/** What fastify logs when it is given a logger. */
export const fastifyLog: Subject = requestSubject(
  "fastify 5.12's own request logging, by pino 10.4, sync: true",
  async () => {
    const { logger, records } = await countedPino()
    return { options: { loggerInstance: logger }, records }
  },
)

function requestSubject(title: string, requestLog: () => Promise<OwnRequestLog>): Subject {
  const open = async (setup: LogSetup, build: string): Promise<Log> => ({
    ...(await pinoSync.open(setup, build)),
    requestLog,
  })
  return { title, whenFull: pinoSync.whenFull, open, read: requestReader() }
}

/** pino as it is when nothing is said, and how many lines it has written of requests. */
async function countedPino(): Promise<{ readonly logger: object; records(): number }> {
  const { default: pino } = await importRival<{ default: Pino }>('pino')
  const destination = pino.destination({ dest: 1, sync: true })
  let lines = 0
  function write(line: string): void {
    // What fastify says when it begins to listen.
    if (lines === 0 && !line.includes('"req":')) return
    lines++
    destination.write(line)
  }
  return { logger: pino({ level: 'info', base: null }, { write }), records: () => lines }
}

/** In the words of the others. What fastify says at the end names the request by its id alone. */
function requestReader(): Subject['read'] {
  const open = new Map<string, Requested>()
  return (line): Line => {
    const { attributes, ...said } = pinoSync.read(line)
    const { req, reqId, res, responseTime: ms } = attributes as RequestAttributes
    const { method, url } = req ?? open.get(String(reqId)) ?? {}
    if (res !== undefined) {
      open.delete(String(reqId))
      return { ...said, attributes: { method, url, status: res.statusCode, ms } }
    }
    if (reqId !== undefined) open.set(reqId, { method, url })
    return { ...said, message: 'request received', attributes: { method, url } }
  }
}

interface RequestAttributes {
  readonly req?: Requested
  readonly reqId?: string
  readonly res?: { readonly statusCode: number }
  readonly responseTime?: number
}

interface Requested {
  readonly method?: unknown
  readonly url?: unknown
}
