import { member, withoutPrototype } from '../../options/own-members.ts'
import { define } from '../../options/define-member.ts'
import type { NodeServer } from '../node-message.ts'
import type { RequestLogOptions } from '../options.ts'
import { builtinModule } from '../../platform/node/builtin-module.ts'
import { createSecretParameterTest } from '../query-secrets.ts'
import type { RequestLogStats } from '../counts.ts'
import { targetOf } from '../target.ts'
import { fetchRequestLog, type FetchRequestLog } from '../fetch-handler.ts'
import { requestLog as nodeRequestLog } from './node.ts'

/** The functions that Next.js 15 and 16 call in `instrumentation.ts`. */
export interface NextInstrumentation {
  /**
   * Logs every request that Next.js serves on Node, starting with the first. It has no effect on the edge runtime: use `requestLog`
   * there.
   */
  register(): void
  /**
   * Logs an error thrown while rendering a page or running a route handler, with the attributes of the request. Information about
   * the request or the location that Next.js does not provide is omitted.
   */
  onRequestError(error: unknown, request?: NextErrorRequest, context?: NextErrorContext): void
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/** The request that Next.js passes with an error. */
export interface NextErrorRequest {
  /** The requested path and query. */
  readonly path: string
  /** The HTTP method, such as `GET`. */
  readonly method: string
}

/** The location of an error, as passed by Next.js. */
export interface NextErrorContext {
  /** The router of Next.js: `App Router` or `Pages Router`. */
  readonly routerKind: string
  /** The route as declared by its files, such as `/orders/[id]`. */
  readonly routePath: string
  /** The kind of work that failed, such as `render`, `route` or `action`. */
  readonly routeType: string
}

/**
 * Creates request logging for Next.js on Node.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * export const { register, onRequestError } = instrumentation({ logger })
 * ```
 */
export function instrumentation(options: RequestLogOptions): NextInstrumentation {
  const log = nodeRequestLog(options)
  const { logger } = options
  const isSecret = createSecretParameterTest(withoutPrototype(options).secretParameters ?? [])
  return {
    register() {
      for (const server of serverPrototypes()) {
        // In development, Next.js calls this again after each change of the file.
        if (!Object.hasOwn(server, registeredKey)) define(log.wrap(server), registeredKey, { value: true })
      }
    },
    onRequestError(error, request, context) {
      const { path, method } = withoutPrototype(Object(request) as Partial<NextErrorRequest>)
      const { routerKind, routePath, routeType } = withoutPrototype(Object(context) as Partial<NextErrorContext>)
      logger.error('request error', {
        'http.request.method': method,
        'url.path': typeof path === 'string' ? targetOf(path, isSecret).path : undefined,
        'http.route': routePath,
        'next.router_kind': routerKind,
        'next.route_type': routeType,
        err: error,
      })
    },
    stats: () => log.stats(),
  }
}

/**
 * Creates a wrapper that logs the requests of Next.js middleware or a route handler, for the edge runtime, where requests cannot be
 * observed globally. Errors thrown by `redirect`, `notFound` and similar functions count as responses.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * export const GET = requestLog({ logger })(() => Response.json({ state: 'shipped' }))
 * ```
 */
export function requestLog(options: RequestLogOptions): FetchRequestLog {
  return fetchRequestLog(options, statusOf)
}

/**
 * Returns the status of a thrown control-flow error: `NEXT_REDIRECT;replace;/path;307;` or `NEXT_HTTP_ERROR_FALLBACK;404`, in
 * Next.js 14 also `NEXT_NOT_FOUND`.
 */
function statusOf(thrown: unknown): number | undefined {
  try {
    const digest = String(member(thrown as { readonly digest?: unknown }, 'digest'))
    if (digest === 'NEXT_NOT_FOUND') return 404
    const [, status] = /^(?:NEXT_REDIRECT;[^]*|NEXT_HTTP_ERROR_FALLBACK);([1-5]\d\d);?$/.exec(digest) ?? []
    return status === undefined ? undefined : Number(status)
  } catch {
    return undefined // a value without members
  }
}

const registeredKey = Symbol.for('sluice/v1/next')

/**
 * Returns the prototypes of Node's servers, none on other runtimes. Next.js creates its server itself, in development also an HTTPS
 * one, so all servers are instrumented.
 */
function serverPrototypes(): NodeServer[] {
  const servers = [builtinModule('node:http')?.Server?.prototype, builtinModule('node:https')?.Server?.prototype]
  return servers.filter((server) => server !== undefined)
}
