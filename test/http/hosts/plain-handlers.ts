import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { RouteHandlers } from '../host.ts'

/** Serves the routes with `node:http` alone. */
export async function plainHandlers(
  handlers: RouteHandlers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url!.replace(/\?.*/, '')
  if (path === '/orders') response.writeHead(201).end(await handlers.place(JSON.parse(await text(request))))
  else if (path.startsWith('/orders/')) response.end(await handlers.order(path.slice('/orders/'.length)))
  else if (path === '/slow') response.end(await handlers.slow())
  else if (path === '/stream') {
    for await (const part of handlers.stream()) response.write(part)
    response.end()
  } else if (path === '/unchanged') {
    await handlers.unchanged()
    response.writeHead(304).end()
  } else if (path === '/fails') await handlers.fail()
  else if (path === '/refused') await handlers.refuse()
  else response.writeHead(404).end('no such page')
}

/** What a server does with what its handlers throw. */
export function answerError(error: unknown, response: ServerResponse): void {
  const { statusCode = 500 } = error as { statusCode?: number }
  response.writeHead(statusCode).end('failed')
}
