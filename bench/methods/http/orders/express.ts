import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { importRival } from '../../../subjects/rival.ts'
import type { RequestLog } from '../../../subjects/subject.ts'
import { listen } from '../listen.ts'
import type { Running } from '../service.ts'
import { order, route } from './orders.ts'
import type { RequestRecords } from './records.ts'

// Declared here, because the frameworks are installed for the benchmark only, and types are checked without them.
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

/** Logs the records of a request in a middleware. */
export const startExpress = (records: RequestRecords): Promise<Running> =>
  startWith(middlewareOf(records), records.records)

/** @param own - undefined without logging */
export const startExpressWithOwn = (own: RequestLog | undefined): Promise<Running> =>
  startWith(own?.middleware as Middleware | undefined, () => undefined)

async function startWith(middleware: Middleware | undefined, records: Running['records']): Promise<Running> {
  const { default: express } = await importRival<{ default: () => Express & RequestListener }>('express')
  const app = express()
  if (middleware !== undefined) app.use(middleware)
  app.get(route, (_, response) => response.json(order))
  return { ...(await listen(app)), figures: {}, records }
}

/** Express middleware, which NestJS also accepts. */
export function middlewareOf({ received, completed }: RequestRecords): Middleware {
  return ({ method, originalUrl }, response, next) => {
    const start = performance.now()
    const logger = received(method, originalUrl)
    response.on('finish', () => completed(logger, method, originalUrl, response.statusCode, performance.now() - start))
    next()
  }
}
