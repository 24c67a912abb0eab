import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { requestLog } from '../../../src/entries/http.ts'
import { Refusal, type Host, type RouteHandlers } from '../host.ts'
import { listening } from './listening.ts'

export const fetchHandler: Host = {
  name: 'a handler of fetch',
  routes: false,
  errors: false,
  bodies: false,
  async start(options, handlers) {
    const log = requestLog(options)
    const server = serve({
      fetch: log((request: Request) => answer(request, handlers)),
      port: 0,
      hostname: '127.0.0.1',
    })
    return { ...(await listening(server as Server)), stats: log.stats }
  },
}

async function answer(request: Request, handlers: RouteHandlers): Promise<Response> {
  const { pathname } = new URL(request.url)
  try {
    if (pathname === '/orders') return new Response(await handlers.place(await request.json()), { status: 201 })
    if (pathname.startsWith('/orders/')) return new Response(await handlers.order(pathname.slice('/orders/'.length)))
    if (pathname === '/slow') return new Response(await handlers.slow())
    if (pathname === '/stream')
      return new Response(ReadableStream.from(handlers.stream()).pipeThrough(new TextEncoderStream()))
    if (pathname === '/fails') await handlers.fail()
    if (pathname === '/refused') await handlers.refuse()
    if (pathname === '/unchanged') {
      await handlers.unchanged()
      return new Response(null, { status: 304 })
    }
    return new Response('no such page', { status: 404 })
  } catch (error) {
    return new Response('failed', { status: error instanceof Refusal ? error.status : 500 })
  }
}
