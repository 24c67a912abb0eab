import { RequestScopes } from '../request-scopes.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { newRequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { addMembers } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'

/** The part of a Koa context that is used here. */
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

/** Request logging middleware for Koa 2 and 3. */
export interface KoaRequestLog {
  /** The middleware. Register it before any other middleware. */
  (context: KoaContext, next: () => Promise<unknown>): Promise<unknown>
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/**
 * Creates request logging middleware for Koa. Register it before any other middleware. The client address and the scheme follow the
 * `app.proxy` setting; the route is that of Koa's router, if it is used.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * app.use(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): KoaRequestLog {
  const log = newRequestLog(options)
  const requestScopes = new RequestScopes(log)
  function handle(context: KoaContext, next: () => Promise<unknown>): Promise<unknown> {
    const { req, res, originalUrl: url, protocol: scheme, ip: clientAddress } = context
    const scope = requestScopes.scopeOf(req, res, { url, scheme, clientAddress }, () => routeOf(context))
    if (scope.echo !== undefined) setHeaderWithHead(res, scope.echo)
    return scope.run(next)
  }
  return addMembers(handle, { stats: () => log.stats() })
}

/**
 * Sets a header when the head is written. Koa handles errors after all middleware and removes every header first; it writes the
 * head later.
 */
function setHeaderWithHead(response: KoaResponse, [name, value]: readonly [string, string]): void {
  const { writeHead } = response
  response.writeHead = (...args) => {
    response.writeHead = writeHead
    if (!response.headersSent && response.getHeader(name) === undefined) response.setHeader(name, value)
    return response.writeHead(...args)
  }
}

function routeOf(context: object): string | undefined {
  const route = member(context as { readonly _matchedRoute?: unknown }, '_matchedRoute')
  return typeof route === 'string' || route instanceof RegExp ? String(route) : undefined
}
