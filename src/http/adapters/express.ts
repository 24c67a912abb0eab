import { member } from '../../options/own-members.ts'
import { RequestScopes } from '../request-scopes.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { newRequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { addMembers } from '../../options/define-member.ts'

/** Request logging middleware for Express 4 and 5, Connect, and NestJS on Express. */
export interface ExpressRequestLog {
  /** The middleware. Register it before any other middleware. */
  (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): void
  /**
   * Error middleware. Register it after the routes: errors that they throw are added to the records of 5xx responses. It passes
   * every error on and sends no response.
   */
  readonly errors: (
    error: unknown,
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ) => void
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/** The properties that Express adds to a request. */
interface ExpressRequest extends NodeRequest {
  readonly originalUrl?: string
  readonly baseUrl?: string
  readonly protocol?: string
  readonly ip?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly route?: { readonly path?: string | RegExp | readonly (string | RegExp)[] }
}

/**
 * Creates request logging middleware for Express. Register it before any other middleware. The client address and the scheme follow
 * the `trust proxy` setting.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * app.use(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): ExpressRequestLog {
  const log = newRequestLog(options)
  const requestScopes = new RequestScopes(log)
  const scopeOf = (request: ExpressRequest, response: NodeResponse) => {
    const frameworkRequest = {
      url: member(request, 'originalUrl'),
      scheme: member(request, 'protocol'),
      clientAddress: member(request, 'ip'),
    }
    return requestScopes.scopeOf(request, response, frameworkRequest, () => routeOf(request))
  }
  function handle(request: ExpressRequest, response: NodeResponse, next: (error?: unknown) => void): void {
    scopeOf(request, response).run(() => next())
  }
  return addMembers(handle, {
    errors(error: unknown, request: ExpressRequest, response: NodeResponse, next: (error?: unknown) => void): void {
      scopeOf(request, response).reportError(error)
      next(error)
    },
    stats: () => log.stats(),
  })
}

/** Returns the declared path of a route, prefixed with the path of its router. */
function routeOf(request: ExpressRequest): string | undefined {
  const route = member(request, 'route')
  const declaredPath = route && member(route, 'path')
  if (declaredPath === undefined) return undefined
  const [baseUrl = '', params = {}] = [member(request, 'baseUrl'), member(request, 'params')]
  // An array of paths or a regular expression is converted to text.
  const path = String(declaredPath)
  return (baseUrl === '' ? '' : declaredBaseUrl(baseUrl, path, params)) + path
}

/**
 * Replaces parameter values in a router's path by their names, because Express provides only the requested path of a router.
 * Parameters that the route itself does not declare belong to parent routers, and are passed on with `mergeParams`.
 */
function declaredBaseUrl(baseUrl: string, path: string, params: Readonly<Record<string, unknown>>): string {
  const inherited = Object.entries(params).filter(([name]) => !path.includes(`:${name}`))
  // Start at the end, because a value is often preceded by a literal segment that could be equal to it.
  const segments = baseUrl.split('/').toReversed()
  const named = segments.map((segment) => {
    const lastParameter = inherited.at(-1)
    if (lastParameter === undefined || lastParameter[1] !== decodeSegment(segment)) return segment
    inherited.pop()
    return `:${lastParameter[0]}`
  })
  return named.toReversed().join('/')
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
