import { member, membersOf, ownCopy } from '../../options/own-members.ts'
import type { Logger } from '../../logger/types.ts'
import { fetchRequest, type FetchRequest, fetchResponse, type FetchResponse } from '../fetch-request.ts'
import { NodeExchanges } from '../node-exchange.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { newRequestLog, type RequestLog } from '../request-log.ts'
import type { RequestScope } from '../request-scope.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { nodeRequest } from '../node-request.ts'
import { addMembers } from '../../options/define-member.ts'
import { noResponse } from '../exchange.ts'

/** The part of a Hono context that is used here. */
interface HonoContext {
  readonly req: { readonly raw: FetchRequest; readonly routePath?: string }
  /** Creates a response when there is none yet. */
  readonly res: FetchResponse
  readonly finalized: boolean
  readonly error?: Error | undefined
  readonly env: unknown
  set(key: 'requestId', value: string): void
  set(key: 'log', value: Logger): void
  header(name: string, value: string): void
}

/** Request logging middleware for Hono 4. */
export interface HonoRequestLog {
  /** The middleware. Register it before any other middleware. */
  (context: HonoContext, next: () => Promise<void>): Promise<void>
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/**
 * Creates request logging middleware for Hono, on Node and other runtimes. Register it before any other middleware.
 * `c.var.requestId` is the request ID, and `c.var.log` is a logger with the request's attributes for runtimes without async context
 * tracking. On Node, with `@hono/node-server`, a request is complete when the response was sent; elsewhere when the response is
 * returned, because the runtime does not signal when the body has been sent.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * app.use(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): HonoRequestLog {
  const log = newRequestLog(options)
  const exchanges = new NodeExchanges(log)
  async function handle(context: HonoContext, next: () => Promise<void>): Promise<void> {
    const { scope, end } = enter(context, log, exchanges)
    context.set('requestId', scope.id)
    context.set(
      'log',
      loggerOnDemand(() => scope.logger),
    )
    if (scope.echo !== undefined) context.header(...scope.echo)
    try {
      await scope.run(next)
      // Hono has already converted a thrown error to a response.
      const error = member(context, 'error')
      if (error !== undefined) scope.failed(error)
      // Without a response, Hono throws after all middleware and responds with 500.
      else if (!context.finalized) scope.failed(new Error('no handler has returned a response'))
      end(context.finalized ? context.res : undefined)
    } catch (error) {
      end(undefined)
      throw error
    }
  }
  return addMembers(handle, { stats: () => log.stats() })
}

interface Entered {
  readonly scope: RequestScope
  end(response: FetchResponse | undefined): void
}

function enter(context: HonoContext, log: RequestLog, exchanges: NodeExchanges): Entered {
  const env = Object(context.env) as { incoming?: NodeRequest; outgoing?: NodeResponse }
  const { incoming, outgoing } = membersOf(env, ['incoming', 'outgoing'])
  if (incoming === undefined) return enterFetch(context, log, exchanges)
  let matchedRoute: string | undefined
  const end = (response: FetchResponse | undefined): void => void (matchedRoute = routeOf(context, response))
  // When the client disconnects, the request ends before its handler.
  const route = (): string | undefined => matchedRoute ?? routeOf(context, undefined)
  if (outgoing !== undefined) return { scope: exchanges.scopeOf(incoming, outgoing, {}, route), end }
  if (member(incoming.headers, 'upgrade') === undefined) return enterFetch(context, log, exchanges)
  // For an upgrade, Node passes a connection instead of a response.
  const existing = exchanges.known(incoming)
  if (existing !== undefined) return { scope: existing, end: () => {} }
  const scope = log.begin(nodeRequest(incoming))
  exchanges.keep(incoming, scope)
  incoming.socket.once('close', () => scope.end({ ...noResponse, route: route() }))
  return { scope, end }
}

function enterFetch(context: HonoContext, log: RequestLog, exchanges: NodeExchanges): Entered {
  const { raw } = context.req
  const existing = exchanges.known(raw)
  if (existing !== undefined) return { scope: existing, end: () => {} }
  const scope = log.begin(fetchRequest(raw))
  exchanges.keep(raw, scope)
  return {
    scope,
    end(response) {
      const { echo } = scope
      // A response that a handler created itself does not include headers that were set before.
      if (echo !== undefined && response?.headers.get(echo[0]) === null) context.header(...echo)
      scope.end(fetchResponse(raw, response, routeOf(context, response)))
    },
  }
}

/**
 * Returns the route. After the handler, the route path is the handler's; when no handler matched, it is that of a middleware and
 * ends in `*`.
 */
function routeOf({ req }: HonoContext, response: FetchResponse | undefined): string | undefined {
  const routePath = member(req, 'routePath')
  if (routePath === '/*' || routePath === '*') return undefined
  return routePath?.endsWith('*') === true && response?.status === 404 ? undefined : routePath
}

/**
 * Returns a proxy that creates the logger on first access: a child costs as much as two records, and most requests do not use one.
 */
function loggerOnDemand(getLogger: () => Logger): Logger {
  const traps: ProxyHandler<object> = {
    get: (_, key) => Reflect.get(getLogger(), key) as unknown,
    set: (_, key, value) => Reflect.set(getLogger(), key, value),
    has: (_, key) => Reflect.has(getLogger(), key),
    ownKeys: () => Reflect.ownKeys(getLogger()),
    defineProperty: (_, key, member) => Reflect.defineProperty(getLogger(), key, member),
    deleteProperty: (_, key) => Reflect.deleteProperty(getLogger(), key),
    // A proxy with a non-extensible target may report only members that the target has.
    preventExtensions: () => false,
    getOwnPropertyDescriptor: (_, key) => configurable(Reflect.getOwnPropertyDescriptor(getLogger(), key)),
    getPrototypeOf: () => Reflect.getPrototypeOf(getLogger()),
  }
  return new Proxy(Object.create(null) as object, ownCopy(traps)) as unknown as Logger
}

/** Makes a descriptor configurable, because a proxy may not report a non-configurable member that its target does not have. */
function configurable(member: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  return member === undefined ? undefined : ownCopy({ ...member, configurable: true })
}
