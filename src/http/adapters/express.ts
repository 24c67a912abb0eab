import { member } from '../../options/own-members.ts'
import { NodeExchanges } from '../node-exchange.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { createRequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { addMembers } from '../../options/define-member.ts'

/** Middleware of express 4 and 5, of connect, and of NestJS on express. */
export interface ExpressRequestLog {
  /** The middleware, to be used before everything else. */
  (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): void
  /**
   * Middleware for errors, to be used behind the routes: what they throw is in the record of a response of 5xx. It changes
   * nothing and answers nothing.
   */
  readonly errors: (
    error: unknown,
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ) => void
  /** What became of the requests. */
  stats(): RequestLogStats
}

/** What express adds to a request. */
interface ExpressRequest extends NodeRequest {
  readonly originalUrl?: string
  readonly baseUrl?: string
  readonly protocol?: string
  readonly ip?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly route?: { readonly path?: string | RegExp | readonly (string | RegExp)[] }
}

/**
 * A request log for express, to be used before everything else. The client's address and the scheme are what `trust proxy`
 * makes of them.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * app.use(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): ExpressRequestLog {
  const log = createRequestLog(options)
  const exchanges = new NodeExchanges(log)
  const scopeOf = (request: ExpressRequest, response: NodeResponse) => {
    const known = {
      url: member(request, 'originalUrl'),
      scheme: member(request, 'protocol'),
      clientAddress: member(request, 'ip'),
    }
    return exchanges.scopeOf(request, response, known, () => routeOf(request))
  }
  function handle(request: ExpressRequest, response: NodeResponse, next: (error?: unknown) => void): void {
    scopeOf(request, response).run(() => next())
  }
  return addMembers(handle, {
    errors(error: unknown, request: ExpressRequest, response: NodeResponse, next: (error?: unknown) => void): void {
      scopeOf(request, response).failed(error)
      next(error)
    },
    stats: () => log.stats(),
  })
}

/** The path that a route was declared with, behind that of the router it stands in. */
function routeOf(request: ExpressRequest): string | undefined {
  const route = member(request, 'route')
  const declaredPath = route && member(route, 'path')
  if (declaredPath === undefined) return undefined
  const [baseUrl = '', params = {}] = [member(request, 'baseUrl'), member(request, 'params')]
  // Several, or an expression, have a text as well.
  const path = String(declaredPath)
  return (baseUrl === '' ? '' : declared(baseUrl, path, params)) + path
}

/**
 * Express knows of a router's path only what was asked for. Parameters that the route has not declared itself are those of routers
 * around it, which one with `mergeParams` hands on.
 */
function declared(baseUrl: string, path: string, params: Readonly<Record<string, unknown>>): string {
  const inherited = Object.entries(params).filter(([name]) => !path.includes(`:${name}`))
  // From the end, where the last one is: in front of a value there is often a word that can be one.
  const segments = baseUrl.split('/').toReversed()
  const named = segments.map((segment) => {
    const last = inherited.at(-1)
    if (last === undefined || last[1] !== decoded(segment)) return segment
    inherited.pop()
    return `:${last[0]}`
  })
  return named.toReversed().join('/')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
