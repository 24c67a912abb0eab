import type { HttpResponse } from './exchange.ts'
import { nodeRequest, type KnownBetter } from './node-request.ts'
import type { RequestLog } from './request-log.ts'
import type { RequestScope } from './request-scope.ts'
import type { NodeRequest, NodeResponse } from './node-message.ts'

/** Exchanges of servers of Node's: each has one scope, however often its request comes by. */
export class NodeExchanges {
  readonly #log: RequestLog
  readonly #scopes = new WeakMap<NodeRequest, RequestScope>()

  constructor(log: RequestLog) {
    this.#log = log
  }

  /**
   * The scope of an exchange, which ends when the response does, or its connection.
   *
   * @param routeOf - asked for the route at the end
   */
  scopeOf(
    request: NodeRequest,
    response: NodeResponse,
    known?: KnownBetter,
    routeOf?: () => string | undefined,
  ): RequestScope {
    const before = this.#scopes.get(request)
    if (before !== undefined) return before
    const scope = this.#log.begin(nodeRequest(request, known))
    this.#scopes.set(request, scope)
    if (scope.echo !== undefined && !response.headersSent) response.setHeader(...scope.echo)
    watch(request, response, (unfinished) => scope.end(responseOf(response, unfinished, routeOf)))
    return scope
  }
}

type End = (unfinished: HttpResponse['unfinished']) => void

/**
 * Calls `end` once. A response says `close` when all of it was handed over and when its connection is lost; but one that waits
 * behind another of the same connection says nothing when that is lost, so the connection is asked as well.
 */
function watch({ socket }: NodeRequest, response: NodeResponse, end: End): void {
  const before = response as NodeResponse & AlreadyOver & { readonly writableFinished?: boolean }
  let finished = before.writableFinished === true
  const waiting = responsesBehind(socket)
  const over = (): void => {
    waiting.delete(over)
    // In HTTP/2 the end of the stream is one of the response, whoever has ended it.
    end(finished && response.writableEnded ? undefined : 'aborted')
  }
  waiting.add(over)
  response.once('finish', () => (finished = true))
  response.once('close', over)
  // Nothing says `close` again that said it while something in front of the request log was waiting.
  const connection: NodeRequest['socket'] & AlreadyOver = socket
  if (before.closed === true || before.destroyed === true || connection.destroyed === true) setImmediate(over)
}

interface AlreadyOver {
  readonly closed?: boolean
  readonly destroyed?: boolean
}

// Taken at load, so that a test runner's fake timers, installed later, cannot stop it.
const { setImmediate } = globalThis
const connections = new WeakMap<object, Set<() => void>>()

function responsesBehind(socket: NodeRequest['socket']): Set<() => void> {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const waiting = new Set<() => void>()
  connections.set(socket, waiting)
  // In a turn of its own: a response that was sent as a whole says so by then.
  socket.once('close', () => setImmediate(() => waiting.forEach((over) => over())))
  return waiting
}

function responseOf(
  response: NodeResponse,
  unfinished: HttpResponse['unfinished'],
  routeOf: (() => string | undefined) | undefined,
): HttpResponse {
  return {
    statusCode: response.headersSent ? response.statusCode : undefined,
    route: routeOf?.(),
    unfinished,
    header: (name) => response.getHeader(name),
  }
}
