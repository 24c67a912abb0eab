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
  async start(options, pages) {
    const log = requestLog(options)
    const app = fastify({ forceCloseConnections: true })
    await app.register(log)
    app.post('/orders', async ({ body }, reply) => reply.code(201).send(await pages.place(body)))
    app.get<{ Params: { id: string } }>('/orders/:id', ({ params }) => pages.order(params.id))
    app.get('/fails', () => pages.fail())
    app.get('/refused', () => pages.refuse())
    app.get('/slow', () => pages.slow())
    app.get('/stream', (_, reply) => reply.send(Readable.from(pages.stream())))
    app.get('/unchanged', async (_, reply) => {
      await pages.unchanged()
      return reply.code(304).send()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { port: (await listening(app.server)).port, close: () => app.close(), stats: log.stats }
  },
}
