import type { Logger } from '../../logger/types.ts'
import { fetchRequest, fetchResponse, type FetchRequest, type FetchResponse } from '../fetch-request.ts'
import { NodeExchanges } from '../node-exchange.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { createRequestLog, type RequestLog } from '../request-log.ts'
import type { RequestScope } from '../request-scope.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'

/** What is asked of a context of hono. */
interface HonoContext {
  readonly req: { readonly raw: FetchRequest; readonly routePath?: string }
  readonly res: FetchResponse
  readonly error?: Error | undefined
  readonly env: unknown
  set(key: 'requestId', value: string): void
  set(key: 'log', value: Logger): void
  header(name: string, value: string): void
}

/** Middleware of hono 4. */
export interface HonoRequestLog {
  /** The middleware, to be used before everything else. */
  (context: HonoContext, next: () => Promise<void>): Promise<void>
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * A request log for hono, to be used before everything else, on Node and elsewhere. `c.var.requestId` is the request's id, and
 * `c.var.log` a logger that says its attributes also where nothing follows a call chain. On Node, by `@hono/node-server`, the exchange
 * is over when the response was sent; elsewhere when its head is there, because nobody says what becomes of the body.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * app.use(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): HonoRequestLog {
  const log = createRequestLog(options)
  const exchanges = new NodeExchanges(log)
  async function handle(context: HonoContext, next: () => Promise<void>): Promise<void> {
    const { scope, end } = scopeOf(context, log, exchanges)
    context.set('requestId', scope.id)
    context.set('log', scope.logger)
    if (scope.echo !== undefined) context.header(...scope.echo)
    try {
      await scope.run(next)
      // Hono has answered what was thrown already.
      if (context.error !== undefined) scope.failed(context.error)
      end(context.res)
    } catch (error) {
      end(undefined)
      throw error
    }
  }
  return Object.assign(handle, { stats: () => log.stats() })
}

interface Entered {
  readonly scope: RequestScope
  end(response: FetchResponse | undefined): void
}

function scopeOf(context: HonoContext, log: RequestLog, exchanges: NodeExchanges): Entered {
  const { incoming, outgoing } = Object(context.env) as { incoming?: NodeRequest; outgoing?: NodeResponse }
  let route: string | undefined
  if (incoming !== undefined && outgoing !== undefined) {
    const scope = exchanges.scopeOf(incoming, outgoing, {}, () => route)
    return { scope, end: () => void (route = routeOf(context)) }
  }
  const { raw } = context.req
  const scope = log.begin(fetchRequest(raw))
  return { scope, end: (response) => scope.end(fetchResponse(raw, response, routeOf(context))) }
}

/** Behind the handler it is the handler's; `/*` is that of middleware, where no route was found. */
function routeOf({ req }: HonoContext): string | undefined {
  const { routePath } = req
  return routePath === '/*' || routePath === '*' ? undefined : routePath
}
