import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { stream } from 'hono/streaming'
import { requestLog, type HonoRequestLog } from '../../../src/entries/hono.ts'
import { Refusal, type Host, type RouteHandlers } from '../host.ts'
import { listening } from './listening.ts'

export const hono: Host = {
  name: 'hono 4 on Node',
  routes: true,
  errors: true,
  bodies: true,
  async start(options, handlers) {
    const log = requestLog(options)
    const server = serve({ fetch: honoApp(log, handlers).fetch, port: 0, hostname: '127.0.0.1' }) as Server
    return { ...(await listening(server)), stats: log.stats }
  },
}

/** Hono without Node bindings, as in workers, Deno and Bun. */
export const honoOfFetch: Host = {
  ...hono,
  name: 'hono 4 without Node',
  bodies: false,
  async start(options, handlers) {
    const log = requestLog(options)
    const app = honoApp(log, handlers)
    const server = serve({ fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' }) as Server
    return { ...(await listening(server)), stats: log.stats }
  },
}

function honoApp(log: HonoRequestLog, handlers: RouteHandlers): Hono {
  const app = new Hono()
  app.use(log)
  app.post('/orders', async (context) => context.text(await handlers.place(await context.req.json()), 201))
  app.get('/orders/:id', async (context) => context.text(await handlers.order(context.req.param('id'))))
  app.get('/fails', () => handlers.fail())
  app.get('/refused', () => handlers.refuse())
  app.get('/slow', async (context) => context.text(await handlers.slow()))
  app.get('/stream', (context: Context) =>
    stream(context, async (out) => {
      for await (const part of handlers.stream()) await out.write(part)
    }),
  )
  app.get('/unchanged', async (context) => {
    await handlers.unchanged()
    return context.body(null, 304)
  })
  app.onError((error, context) => context.text('failed', error instanceof Refusal ? 422 : 500))
  return app
}
