import type { RequestListener } from 'node:http'
import { importRival } from '../../../subjects/rival.ts'
import type { RequestLog } from '../../../subjects/subject.ts'
import { listen } from '../listen.ts'
import type { Running } from '../service.ts'
import { order, route } from './orders.ts'

interface Hono {
  use(middleware: unknown): void
  get(path: string, handler: (context: { json(body: object): unknown }) => unknown): void
  readonly fetch: unknown
}

/** @param own - undefined without logging */
export async function startHono(own: RequestLog | undefined): Promise<Running> {
  const { Hono } = await importRival<{ Hono: new () => Hono }>('hono')
  const { getRequestListener } = await importRival<{ getRequestListener(fetch: unknown): RequestListener }>(
    '@hono/node-server',
  )
  const app = new Hono()
  if (own !== undefined) app.use(own.middleware)
  app.get(route, (context) => context.json(order))
  return { ...(await listen(getRequestListener(app.fetch))), figures: {}, records: () => undefined }
}
