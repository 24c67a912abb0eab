import type { RequestListener } from 'node:http'
import { importRival } from '../../../subjects/rival.ts'
import type { RequestLog } from '../../../subjects/subject.ts'
import { listen } from '../listen.ts'
import type { Running } from '../service.ts'
import { isOrder, order } from './orders.ts'

interface Koa {
  use(middleware: unknown): void
  callback(): RequestListener
}

/** @param own - undefined without logging */
export async function startKoa(own: RequestLog | undefined): Promise<Running> {
  const { default: Application } = await importRival<{ default: new () => Koa }>('koa')
  const app = new Application()
  if (own !== undefined) app.use(own.middleware)
  app.use((context: { readonly path: string; body: unknown }) => {
    if (isOrder(context.path)) context.body = order
  })
  return { ...(await listen(app.callback())), figures: {}, records: () => undefined }
}
