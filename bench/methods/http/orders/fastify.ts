import { importRival } from '../../../subjects/rival.ts'
import type { Log } from '../../../subjects/subject.ts'
import type { Running } from '../service.ts'
import { order, ordersService, route } from './orders.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'

// Written down here, because the frameworks are installed for the benchmark only, and types are checked without them.
interface Fastify {
  addHook(name: 'onRequest' | 'onResponse', hook: (request: Request, reply: Reply, done: () => void) => void): void
  register(plugin: unknown): PromiseLike<unknown>
  get(path: string, handler: (request: Request, reply: Reply) => void): void
  listen(options: object): Promise<string>
  close(): Promise<void>
}
interface Request {
  readonly method: string
  readonly url: string
}
interface Reply {
  readonly statusCode: number
  readonly elapsedTime: number
  send(body: object): void
}

/** Its own logger stays off where it is not the subject: it says more in its two records than the others are asked to. */
export const fastifyOrders = ordersService(start)

async function start(log: Log | undefined): Promise<Running> {
  const { default: fastify } = await importRival<{ default: (options?: object) => Fastify }>('fastify')
  const requestLog = createRequestLog(log)
  const own = await log?.requestLog?.('fastify')
  const app = fastify(own?.options)
  if (own?.middleware !== undefined) await app.register(own.middleware)
  else if (own === undefined) addHooks(app, requestLog)
  app.get(route, (_, reply) => reply.send(order))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    port: Number(new URL(address).port),
    figures: {},
    records: own?.records ?? requestLog.records,
    close: () => app.close(),
  }
}

function addHooks(app: Fastify, { received, completed }: RequestLog): void {
  app.addHook('onRequest', ({ method, url }, _, done) => {
    received(method, url)
    done()
  })
  app.addHook('onResponse', ({ method, url }, { statusCode, elapsedTime }, done) => {
    completed(method, url, statusCode, elapsedTime)
    done()
  })
}
