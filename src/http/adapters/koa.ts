import { NodeExchanges } from '../node-exchange.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { createRequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'

/** What is asked of a context of koa. */
interface KoaContext {
  readonly req: NodeRequest
  readonly res: NodeResponse
  readonly originalUrl: string
  readonly protocol: string
  readonly ip: string
}

/** Middleware of koa 2 and 3. */
export interface KoaRequestLog {
  /** The middleware, to be used before everything else. */
  (context: KoaContext, next: () => Promise<unknown>): Promise<unknown>
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * A request log for koa, to be used before everything else. The client's address and the scheme are what `app.proxy` makes of
 * them; the route is that of its router, where it is used.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * app.use(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): KoaRequestLog {
  const log = createRequestLog(options)
  const exchanges = new NodeExchanges(log)
  function handle(context: KoaContext, next: () => Promise<unknown>): Promise<unknown> {
    const { req, res, originalUrl: url, protocol: scheme, ip: clientAddress } = context
    return exchanges.scopeOf(req, res, { url, scheme, clientAddress }, () => routeOf(context)).run(next)
  }
  return Object.assign(handle, { stats: () => log.stats() })
}

function routeOf(context: object): string | undefined {
  const { _matchedRoute: route } = context as { readonly _matchedRoute?: unknown }
  return typeof route === 'string' || route instanceof RegExp ? String(route) : undefined
}
