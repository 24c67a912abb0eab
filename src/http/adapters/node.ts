import { addMembers, define } from '../../options/define-member.ts'
import { RequestScopes } from '../request-scopes.ts'
import { convertNodeRequest } from '../node-request.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { newRequestLog, type RequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse, NodeServer } from '../node-message.ts'
import { noResponse } from '../exchange.ts'

/** Request logging for Node servers. */
export interface NodeRequestLog {
  /**
   * Starts logging a request. Call it first for each request. Records logged by loggers of `createLogger` in `next`, and in
   * everything that it starts, include the request's attributes.
   *
   * @returns The result of `next`.
   */
  <R = void>(request: NodeRequest, response: NodeResponse, next?: () => R): R | undefined
  /**
   * Logs every request of a server, regardless of its listeners. Upgrades are included; they are complete when the connection is
   * closed.
   *
   * @returns The server.
   */
  wrap<S extends NodeServer>(server: S): S
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/**
 * Creates request logging for `node:http`, `node:https` and `node:http2`, and for frameworks with middleware of the form
 * `(request, response, next)`.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * requestLog({ logger }).wrap(createServer(handler)).listen(8080)
 * ```
 */
export function requestLog(options: RequestLogOptions): NodeRequestLog {
  const log = newRequestLog(options)
  const requestScopes = new RequestScopes(log)
  function handle<R>(request: NodeRequest, response: NodeResponse, next?: () => R): R | undefined {
    const scope = requestScopes.scopeOf(request, response)
    return next === undefined ? undefined : scope.run(next)
  }
  return addMembers(handle, {
    wrap: <S extends NodeServer>(server: S) => wrapServer(server, log, requestScopes),
    stats: () => log.stats(),
  })
}

/** Events with a request and its response. */
const exchangeEvents: readonly unknown[] = ['request', 'checkContinue', 'checkExpectation']
/** Events with a request and its connection, which Node no longer manages. */
const connectionEvents: readonly unknown[] = ['upgrade', 'connect']

function wrapServer<S extends NodeServer>(server: S, log: RequestLog, requestScopes: RequestScopes): S {
  const emit = server.emit as (...args: unknown[]) => boolean
  function emitLogged(this: unknown, ...args: unknown[]): boolean {
    const [event, request, responseOrSocket] = args as [unknown, NodeRequest, unknown]
    const callListeners = (): boolean => emit.apply(this, args)
    if (exchangeEvents.includes(event))
      return requestScopes.scopeOf(request, responseOrSocket as NodeResponse).run(callListeners)
    if (!connectionEvents.includes(event)) return callListeners()
    const scope = log.begin(convertNodeRequest(request))
    request.socket.once('close', () => scope.end(noResponse))
    return scope.run(callListeners)
  }
  define(server, 'emit', { value: emitLogged, writable: true, configurable: true })
  return server
}
