import { member, ownCopy } from '../../options/own-members.ts'
import { define } from '../../options/define-member.ts'
import type { NodeServer } from '../node-message.ts'
import type { RequestLogOptions } from '../options.ts'
import { builtinModule } from '../../platform/node/builtin-module.ts'
import { secretTest } from '../query-secrets.ts'
import type { RequestLogStats } from '../counts.ts'
import { targetOf } from '../target.ts'
import { fetchRequestLog, type FetchRequestLog } from '../fetch-handler.ts'
import { requestLog as nodeRequestLog } from './node.ts'

/** What Next.js 15 and 16 call in `instrumentation.ts`. */
export interface NextInstrumentation {
  /** Has every request that Next.js serves on Node logged, from the first. At the edge it does nothing: see `requestLog`. */
  register(): void
  /**
   * Logs what was thrown while a page was rendered or a route answered, with the attributes of the request. What is not told of
   * the request or of where it happened is left out.
   */
  onRequestError(error: unknown, request?: NextErrorRequest, context?: NextErrorContext): void
  /** What became of the requests. */
  stats(): RequestLogStats
}

/** The request, as Next.js tells of it with an error. */
export interface NextErrorRequest {
  /** Path and query, as they were asked for. */
  readonly path: string
  /** The method as it was sent, such as `GET`. */
  readonly method: string
}

/** Where it happened, as Next.js tells of it with an error. */
export interface NextErrorContext {
  /** Which router of Next.js has it: `App Router` or `Pages Router`. */
  readonly routerKind: string
  /** The route as its files declare it, such as `/orders/[id]`. */
  readonly routePath: string
  /** What was under way, such as `render`, `route` or `action`. */
  readonly routeType: string
}

/**
 * A request log for Next.js.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * export const { register, onRequestError } = instrumentation({ logger })
 * ```
 */
export function instrumentation(options: RequestLogOptions): NextInstrumentation {
  const log = nodeRequestLog(options)
  const { logger } = options
  const isSecret = secretTest(ownCopy(options).secretParameters ?? [])
  return {
    register() {
      for (const server of serverPrototypes()) {
        // Development runs it again with each change of the file.
        if (!Object.hasOwn(server, registered)) define(log.wrap(server), registered, { value: true })
      }
    },
    onRequestError(error, request, context) {
      const { path, method } = ownCopy(Object(request) as Partial<NextErrorRequest>)
      const { routerKind, routePath, routeType } = ownCopy(Object(context) as Partial<NextErrorContext>)
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
 * A request log around Next.js's middleware or a route, where nobody hears of all requests: at the edge. What `redirect`,
 * `notFound` and their like throw is an answer.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * export const GET = requestLog({ logger })(() => Response.json({ state: 'shipped' }))
 * ```
 */
export function requestLog(options: RequestLogOptions): FetchRequestLog {
  return fetchRequestLog(options, statusOf)
}

/** `NEXT_REDIRECT;replace;/path;307;` and `NEXT_HTTP_ERROR_FALLBACK;404`, in Next.js 14 also `NEXT_NOT_FOUND`. */
function statusOf(thrown: unknown): number | undefined {
  try {
    const digest = String(member(thrown as { readonly digest?: unknown }, 'digest'))
    if (digest === 'NEXT_NOT_FOUND') return 404
    const [, status] = /^(?:NEXT_REDIRECT;[^]*|NEXT_HTTP_ERROR_FALLBACK);([1-5]\d\d);?$/.exec(digest) ?? []
    return status === undefined ? undefined : Number(status)
  } catch {
    return undefined // nothing that has members
  }
}

const registered = Symbol.for('sluice/v1/next')

/** Next.js makes its server by itself, in development also one of HTTPS, so all servers are asked; none where there is no Node. */
function serverPrototypes(): NodeServer[] {
  const servers = [builtinModule('node:http')?.Server?.prototype, builtinModule('node:https')?.Server?.prototype]
  return servers.filter((server) => server !== undefined)
}
