import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Pages } from '../host.ts'

/** Serves the routes with `node:http` alone. */
export async function plainPages(pages: Pages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url!.replace(/\?.*/, '')
  if (path === '/orders') response.writeHead(201).end(await pages.place(JSON.parse(await text(request))))
  else if (path.startsWith('/orders/')) response.end(await pages.order(path.slice('/orders/'.length)))
  else if (path === '/slow') response.end(await pages.slow())
  else if (path === '/stream') {
    for await (const part of pages.stream()) response.write(part)
    response.end()
  } else if (path === '/unchanged') {
    await pages.unchanged()
    response.writeHead(304).end()
  } else if (path === '/fails') await pages.fail()
  else if (path === '/refused') await pages.refuse()
  else response.writeHead(404).end('no such page')
}

/** What a server does with what its pages throw. */
export function answerError(error: unknown, response: ServerResponse): void {
  const { statusCode = 500 } = error as { statusCode?: number }
  response.writeHead(statusCode).end('failed')
}
