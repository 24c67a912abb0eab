import { member, membersOf, withoutPrototype } from '../../options/own-members.ts'
import type { Logger } from '../../logger/types.ts'
import { convertFetchRequest, type FetchRequest, convertFetchResponse, type FetchResponse } from '../fetch-request.ts'
import { RequestScopes } from '../request-scopes.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import type { CurrentRequest } from '../current-request.ts'
import { captureFetchBody, endWithResponse } from '../fetch-bodies.ts'
import { newRequestLog, type AdapterLog } from '../request-log.ts'
import type { AdapterScope } from '../request-scope.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { convertNodeRequest } from '../node-request.ts'
import { addMembers } from '../../options/define-member.ts'
import { noResponse } from '../exchange.ts'

/** The part of a Hono context that is used here. */
interface HonoContext {
  readonly req: { readonly raw: FetchRequest; readonly routePath?: string }
  /** Reading it creates a response if the handlers have not set one yet. */
  res: Response
  readonly finalized: boolean
  readonly error?: Error | undefined
  readonly env: unknown
  set(key: 'requestId', value: string): void
  set(key: 'log', value: Logger): void
  set(key: 'request', value: CurrentRequest): void
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
 * `c.var.requestId` is the request ID. For runtimes without async context tracking, `c.var.log` is a logger with the request's
 * attributes, and `c.var.request` is what `currentRequest()` returns elsewhere. On Node, with `@hono/node-server`, a request is complete
 * when the response was sent; elsewhere when the response is returned, because the runtime does not signal when the body has been sent, or,
 * with the option `responseBody`, when the runtime has read the body.
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
  const requestScopes = new RequestScopes(log)
  async function handle(context: HonoContext, next: () => Promise<void>): Promise<void> {
    const { scope, handleDone } = startRequest(context, log, requestScopes)
    context.set('requestId', scope.id)
    context.set('request', scope.current)
    context.set(
      'log',
      loggerOnDemand(() => scope.logger),
    )
    if (scope.echo !== undefined) context.header(...scope.echo)
    try {
      await scope.run(next)
      // Hono has already converted a thrown error to a response.
      const error = member(context, 'error')
      if (error !== undefined) scope.reportError(error)
      // Without a response, Hono throws after all middleware and responds with 500.
      else if (!context.finalized) scope.reportError(new Error('no handler has returned a response'))
      handleDone(context.finalized ? context.res : undefined)
    } catch (error) {
      handleDone(undefined)
      throw error
    }
  }
  return addMembers(handle, { stats: () => log.stats() })
}

/** The scope of a request, and what is called when its handlers are done. */
interface StartedRequest {
  readonly scope: AdapterScope
  handleDone(response: Response | undefined): void
}

/**
 * Returns the scope of a request. On Node, the scope ends with the response, or with the connection of an upgrade, and `handleDone` only
 * stores the route; elsewhere `handleDone` ends the scope, at once or when the runtime has read the body. If the request had a scope
 * before, `handleDone` has no effect.
 */
function startRequest(context: HonoContext, log: AdapterLog, requestScopes: RequestScopes): StartedRequest {
  const env = Object(context.env) as { incoming?: NodeRequest; outgoing?: NodeResponse }
  const { incoming, outgoing } = membersOf(env, ['incoming', 'outgoing'])
  if (incoming === undefined) return startFetchRequest(context, log, requestScopes)
  let matchedRoute: string | undefined
  const handleDone = (response: Response | undefined): void => void (matchedRoute = routeOf(context, response))
  // When the client disconnects, the request ends before its handler.
  const route = (): string | undefined => matchedRoute ?? routeOf(context, undefined)
  if (outgoing !== undefined) return { scope: requestScopes.scopeOf(incoming, outgoing, {}, route), handleDone }
  if (member(incoming.headers, 'upgrade') === undefined) return startFetchRequest(context, log, requestScopes)
  // For an upgrade, Node passes a connection instead of a response.
  const existing = requestScopes.existingScope(incoming)
  if (existing !== undefined) return { scope: existing, handleDone: () => {} }
  const scope = log.begin(convertNodeRequest(incoming))
  requestScopes.storeScope(incoming, scope)
  incoming.socket.once('close', () => scope.end({ ...noResponse, route: route() }))
  return { scope, handleDone }
}

function startFetchRequest(context: HonoContext, log: AdapterLog, requestScopes: RequestScopes): StartedRequest {
  const { raw } = context.req
  const existing = requestScopes.existingScope(raw)
  if (existing !== undefined) return { scope: existing, handleDone: () => {} }
  const scope = log.begin(convertFetchRequest(raw))
  requestScopes.storeScope(raw, scope)
  if (scope.bodies?.request !== undefined) captureFetchBody(raw, scope.bodies.request)
  return {
    scope,
    handleDone(response) {
      const { echo } = scope
      // A response that a handler created itself does not include headers that were set before.
      if (echo !== undefined && response?.headers.get(echo[0]) === null) context.header(...echo)
      const route = routeOf(context, response)
      if (response === undefined) return scope.end(convertFetchResponse(raw, response, route))
      const current = context.res
      const sent = endWithResponse(scope, raw, current, route)
      if (sent !== current) context.res = sent
    },
  }
}

/**
 * Returns the declared route. After the handler has run, the route path is the handler's. If no handler matched, the status is 404 and the
 * route path is that of a middleware, which ends in `*`: then there is no route. Paths that match everything are not a route either.
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
    getOwnPropertyDescriptor: (_, key) => asConfigurable(Reflect.getOwnPropertyDescriptor(getLogger(), key)),
    getPrototypeOf: () => Reflect.getPrototypeOf(getLogger()),
  }
  return new Proxy(Object.create(null) as object, withoutPrototype(traps)) as unknown as Logger
}

/**
 * Returns a copy of a descriptor that is configurable, because a proxy may not report a non-configurable member that its target does not
 * have.
 */
function asConfigurable(member: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  return member === undefined ? undefined : withoutPrototype({ ...member, configurable: true })
}
