import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { importRival } from '../../../subjects/rival.ts'
import type { Log } from '../../../subjects/subject.ts'
import { listen } from '../listen.ts'
import type { Running } from '../service.ts'
import { order, ordersService, route } from './orders.ts'
import { createRequestLog } from './request-log.ts'

// Written down here, because the frameworks are installed for the benchmark only, and types are checked without them.
interface Express {
  use(middleware: Middleware): void
  get(path: string, handler: (request: Request, response: Response) => void): void
}
type Middleware = (request: Request, response: ServerResponse, next: () => void) => void
interface Request extends IncomingMessage {
  readonly method: string
  readonly originalUrl: string
}
interface Response extends ServerResponse {
  json(body: object): void
}

export const expressOrders = ordersService(start)

async function start(log: Log | undefined): Promise<Running> {
  const { default: express } = await importRival<{ default: () => Express & RequestListener }>('express')
  const { received, completed, records } = createRequestLog(log)
  const app = express()
  const own = await log?.requestLog?.('express')
  if (own !== undefined) app.use(own.middleware as Middleware)
  else
    app.use(({ method, originalUrl }, response, next) => {
      const start = performance.now()
      received(method, originalUrl)
      response.on('finish', () => completed(method, originalUrl, response.statusCode, performance.now() - start))
      next()
    })
  app.get(route, (_, response) => response.json(order))
  return { ...(await listen(app)), figures: {}, records: own?.records ?? records }
}
