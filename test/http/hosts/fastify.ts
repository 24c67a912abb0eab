import { Readable } from 'node:stream'
import fastify from 'fastify'
import { requestLog } from '../../../src/entries/fastify.ts'
import type { Host } from '../host.ts'
import { listening } from './listening.ts'

export const fastifyHost: Host = {
  name: 'fastify 5',
  routes: true,
  errors: true,
  bodies: true,
  async start(options, handlers) {
    const log = requestLog(options)
    const app = fastify({ forceCloseConnections: true })
    await app.register(log)
    app.post('/orders', async ({ body }, reply) => reply.code(201).send(await handlers.place(body)))
    app.get<{ Params: { id: string } }>('/orders/:id', ({ params }) => handlers.order(params.id))
    app.get('/fails', () => handlers.fail())
    app.get('/refused', () => handlers.refuse())
    app.get('/slow', () => handlers.slow())
    app.get('/stream', (_, reply) => reply.send(Readable.from(handlers.stream())))
    app.get('/unchanged', async (_, reply) => {
      await handlers.unchanged()
      return reply.code(304).send()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { port: (await listening(app.server)).port, close: () => app.close(), stats: log.stats }
  },
}
