import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import Koa from 'koa'
// @ts-expect-error: the types of koa 3 are those of koa 2 as well
import Koa2 from 'koa-2'
import { requestLog } from '../../../src/entries/koa.ts'
import type { Host } from '../host.ts'
import { listening } from './listening.ts'

export const koa: Host = koaHost('koa 3', Koa)
export const koa2: Host = koaHost('koa 2', Koa2)

function koaHost(name: string, Application: typeof Koa): Host {
  return {
    name,
    routes: false,
    errors: true,
    bodies: true,
    koa: true,
    async start(options, handlers) {
      const log = requestLog(options)
      const app = new Application()
      app.silent = true
      app.use(log)
      app.use(async (context) => {
        const { path } = context
        if (path === '/orders') {
          context.body = await handlers.place(await json(context.req))
          context.status = 201
        } else if (path.startsWith('/orders/')) context.body = await handlers.order(path.slice('/orders/'.length))
        else if (path === '/fails') await handlers.fail()
        else if (path === '/refused') await handlers.refuse()
        else if (path === '/slow') context.body = await handlers.slow()
        else if (path === '/stream') context.body = Readable.from(handlers.stream())
        else if (path === '/unchanged') {
          await handlers.unchanged()
          context.status = 304
        }
      })
      return { ...(await listening(createServer(app.callback()))), stats: log.stats }
    },
  }
}
