import { NodeExchanges } from '../node-exchange.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { createRequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { addMembers } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'

/** What is asked of a context of koa. */
interface KoaContext {
  readonly req: NodeRequest
  readonly res: KoaResponse
  readonly originalUrl: string
  readonly protocol: string
  readonly ip: string
}

interface KoaResponse extends NodeResponse {
  writeHead(...head: unknown[]): unknown
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
    const scope = exchanges.scopeOf(req, res, { url, scheme, clientAddress }, () => routeOf(context))
    if (scope.echo !== undefined) keepHeader(res, scope.echo)
    return scope.run(next)
  }
  return addMembers(handle, { stats: () => log.stats() })
}

/** Koa answers an error behind all middleware, and takes every header off first. Its head is written later still. */
function keepHeader(response: KoaResponse, [name, value]: readonly [string, string]): void {
  const { writeHead } = response
  response.writeHead = (...head) => {
    response.writeHead = writeHead
    if (!response.headersSent && response.getHeader(name) === undefined) response.setHeader(name, value)
    return response.writeHead(...head)
  }
}

function routeOf(context: object): string | undefined {
  const route = member(context as { readonly _matchedRoute?: unknown }, '_matchedRoute')
  return typeof route === 'string' || route instanceof RegExp ? String(route) : undefined
}
