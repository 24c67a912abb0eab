import { importRival } from '../../../subjects/rival.ts'
import type { RequestLog } from '../../../subjects/subject.ts'
import type { Running } from '../service.ts'
import { order, route } from './orders.ts'
import type { RequestRecords } from './records.ts'

// Declared here, because the frameworks are installed for the benchmark only, and types are checked without them.
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

/** Logs the records of a request in hooks with one logger, because fastify's own records have more attributes. */
export async function startFastify({ root, received, completed, records }: RequestRecords): Promise<Running> {
  const app = await create({})
  app.addHook('onRequest', ({ method, url }, _, done) => {
    received(method, url)
    done()
  })
  app.addHook('onResponse', ({ method, url }, { statusCode, elapsedTime }, done) => {
    completed(root, method, url, statusCode, elapsedTime)
    done()
  })
  return listening(app, records)
}

/** @param loggerInstance - the logger of which fastify creates a child for each request; undefined without logging */
export async function startFastifyWithLogger(loggerInstance: unknown): Promise<Running> {
  return listening(await create(loggerInstance === undefined ? {} : { loggerInstance }), () => undefined)
}

/** @param own - undefined without logging */
export async function startFastifyWithOwn(own: RequestLog | undefined): Promise<Running> {
  const app = await create(own?.options ?? {})
  if (own?.middleware !== undefined) await app.register(own.middleware)
  return listening(app, () => undefined)
}

async function create(options: object): Promise<Fastify> {
  const { default: fastify } = await importRival<{ default: (options: object) => Fastify }>('fastify')
  return fastify(options)
}

async function listening(app: Fastify, records: Running['records']): Promise<Running> {
  app.get(route, (_, reply) => reply.send(order))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(address).port), figures: {}, records, close: () => app.close() }
}
