import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { requestLog } from '../../../src/entries/http.ts'
import { Refusal, type Host, type Pages } from '../host.ts'
import { listening } from './listening.ts'

export const fetchHandler: Host = {
  name: 'a handler of fetch',
  routes: false,
  errors: false,
  bodies: false,
  async start(options, pages) {
    const log = requestLog(options)
    const server = serve({ fetch: log((request: Request) => answer(request, pages)), port: 0, hostname: '127.0.0.1' })
    return { ...(await listening(server as Server)), stats: log.stats }
  },
}

async function answer(request: Request, pages: Pages): Promise<Response> {
  const { pathname } = new URL(request.url)
  try {
    if (pathname === '/orders') return new Response(await pages.place(await request.json()), { status: 201 })
    if (pathname.startsWith('/orders/')) return new Response(await pages.order(pathname.slice('/orders/'.length)))
    if (pathname === '/slow') return new Response(await pages.slow())
    if (pathname === '/fails') await pages.fail()
    if (pathname === '/refused') await pages.refuse()
    if (pathname === '/unchanged') {
      await pages.unchanged()
      return new Response(null, { status: 304 })
    }
    return new Response('no such page', { status: 404 })
  } catch (error) {
    return new Response('failed', { status: error instanceof Refusal ? error.status : 500 })
  }
}
