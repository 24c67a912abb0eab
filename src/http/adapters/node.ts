import { addMembers, define } from '../../options/define-member.ts'
import { NodeExchanges } from '../node-exchange.ts'
import { nodeRequest } from '../node-request.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { createRequestLog, type RequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse, NodeServer } from '../node-message.ts'
import { noResponse } from '../exchange.ts'

/** Logs the requests of servers of Node's. */
export interface NodeRequestLog {
  /**
   * To be called with each request first. What loggers of `createLogger` say in `next`, and in all it starts, carries the
   * request's attributes.
   *
   * @returns what `next` returns.
   */
  <R = void>(request: NodeRequest, response: NodeResponse, next?: () => R): R | undefined
  /**
   * Logs every request of a server, whoever listens to them, upgrades included: these are over when the connection is.
   *
   * @returns the server.
   */
  wrap<S extends NodeServer>(server: S): S
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * A request log for `node:http`, `node:https` and `node:http2`, and for all that takes middleware of the form
 * `(request, response, next)`.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * requestLog({ logger }).wrap(createServer(handler)).listen(8080)
 * ```
 */
export function requestLog(options: RequestLogOptions): NodeRequestLog {
  const log = createRequestLog(options)
  const exchanges = new NodeExchanges(log)
  function handle<R>(request: NodeRequest, response: NodeResponse, next?: () => R): R | undefined {
    const scope = exchanges.scopeOf(request, response)
    return next === undefined ? undefined : scope.run(next)
  }
  return addMembers(handle, {
    wrap: <S extends NodeServer>(server: S) => wrap(server, log, exchanges),
    stats: () => log.stats(),
  })
}

/** Events in which a request comes with its response. */
const exchangeEvents: readonly unknown[] = ['request', 'checkContinue', 'checkExpectation']
/** Events in which a request comes with its connection, of which nothing is Node's any more. */
const connectionEvents: readonly unknown[] = ['upgrade', 'connect']

function wrap<S extends NodeServer>(server: S, log: RequestLog, exchanges: NodeExchanges): S {
  const emit = server.emit as (...args: unknown[]) => boolean
  function emitted(this: unknown, ...args: unknown[]): boolean {
    const [event, request, second] = args as [unknown, NodeRequest, unknown]
    const tell = (): boolean => emit.apply(this, args)
    if (exchangeEvents.includes(event)) return exchanges.scopeOf(request, second as NodeResponse).run(tell)
    if (!connectionEvents.includes(event)) return tell()
    const scope = log.begin(nodeRequest(request))
    request.socket.once('close', () => scope.end(noResponse))
    return scope.run(tell)
  }
  define(server, 'emit', { value: emitted, writable: true, configurable: true })
  return server
}
