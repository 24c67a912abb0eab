import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { RequestLog } from '../../../subjects/subject.ts'
import { listenWith } from '../listen.ts'
import type { Running } from '../service.ts'
import { isOrder, order } from './orders.ts'

/** @param own - undefined without logging */
export async function startNode(own: RequestLog | undefined): Promise<Running> {
  return { ...(await listenWith(serverOf(own))), figures: {}, records: () => undefined }
}

function serverOf(own: RequestLog | undefined): Server {
  if (own?.wrap !== undefined) return own.wrap(createServer(serve))
  if (own === undefined) return createServer(serve)
  const log = own.middleware as (request: IncomingMessage, response: ServerResponse) => void
  return createServer((request, response) => {
    log(request, response)
    serve(request, response)
  })
}

function serve({ url }: IncomingMessage, response: ServerResponse): void {
  if (!isOrder(url)) response.statusCode = 404
  response.setHeader('content-type', 'application/json').end(JSON.stringify(order))
}
