import { member } from '../options/own-members.ts'
import type { HttpResponse } from './exchange.ts'
import { nodeRequest, type FrameworkRequest } from './node-request.ts'
import type { RequestLog } from './request-log.ts'
import type { RequestScope } from './request-scope.ts'
import type { NodeRequest, NodeResponse, NodeSocket, NodeStream } from './node-message.ts'
import { sentHeader, sentHeadersOf } from './sent-headers.ts'
import type { CompleteResponse } from './exchange.ts'

/** The request scopes of a request log, mainly for Node servers. Each request has one scope, however often it is passed in. */
export class NodeExchanges {
  readonly #log: RequestLog
  /** The key under which a request stores its scope. A WeakMap would keep requests alive until a major garbage collection. */
  readonly #key = Symbol('sluice')

  constructor(log: RequestLog) {
    this.#log = log
  }

  /** Returns the scope of a request; undefined when it has none yet. */
  known(request: object): RequestScope | undefined {
    return (request as Scoped)[this.#key]
  }

  /** Stores the scope of a request, unless the request is frozen. */
  keep(request: object, scope: RequestScope): void {
    if (Object.isExtensible(request)) (request as Scoped)[this.#key] = scope
  }

  /**
   * Returns the scope of a request, which ends when the response or its connection does.
   *
   * @param routeOf - called at the end to get the route
   */
  scopeOf(
    request: NodeRequest,
    response: NodeResponse,
    known?: FrameworkRequest,
    routeOf?: () => string | undefined,
  ): RequestScope {
    const existing = this.known(request)
    if (existing !== undefined) return existing
    const scope = this.#log.begin(nodeRequest(request, known))
    this.keep(request, scope)
    if (scope.echo !== undefined && !response.headersSent) response.setHeader(...scope.echo)
    watch(request, response, (unfinished) => scope.end(responseOf(response, unfinished, routeOf)))
    return scope
  }
}

interface Scoped {
  [key: symbol]: RequestScope | undefined
}

type End = (unfinished: HttpResponse['unfinished']) => void

/**
 * Calls `end` when the response or its connection has ended. A response emits `close` when it was passed on completely and when its
 * connection is lost; but a response queued behind another one on the same connection emits nothing when the connection is lost, so
 * the connection is observed too.
 */
function watch(request: NodeRequest, response: NodeResponse, end: End): void {
  const outgoing = response as NodeResponse & AlreadyOver & { readonly writableFinished?: boolean }
  const { socket } = request
  const stream = streamOf(request, response)
  // An HTTP/2 response emits `finish` for every kind of end. Its stream emits it only when the stream itself has ended, which
  // includes a reset; `rstCode` distinguishes the two.
  const hasEnded = (): boolean => (stream === undefined ? response.writableEnded : member(stream, 'rstCode') === 0)
  let finished = member(stream ?? outgoing, 'writableFinished') === true && hasEnded()
  // In HTTP/2 responses are not queued behind one another: the socket of a request represents its own stream, and the response
  // reports its end.
  const waiting = stream === undefined ? responsesBehind(socket) : undefined
  const over = (): void => {
    if (waiting !== undefined) removeCallback(waiting, over)
    // For a connection that was handed over, as to a WebSocket, a response object that other code created for it reports nothing.
    const handedOver = member(request, 'upgrade') === true && !response.headersSent
    end(finished || handedOver ? undefined : 'aborted')
  }
  waiting?.push(over)
  const from: Pick<NodeStream, 'on'> = stream ?? response
  from.on('finish', () => (finished = hasEnded()))
  response.on('close', over)
  // `close` is not emitted again if it was emitted while middleware before the request log was waiting.
  const connection: NodeSocket & AlreadyOver = socket
  if (isOver(outgoing) || member(connection, 'destroyed') === true) setImmediate(over)
}

/** Returns the stream of an HTTP/2 response. */
function streamOf(request: NodeRequest & { readonly httpVersionMajor?: number }, response: NodeResponse) {
  return member(request, 'httpVersionMajor') === 2 ? member(response, 'stream') : undefined
}

function isOver(response: AlreadyOver): boolean {
  return member(response, 'closed') === true || member(response, 'destroyed') === true
}

interface AlreadyOver {
  readonly closed?: boolean
  readonly destroyed?: boolean
}

/** The callbacks to run when a connection is lost: nearly always one. */
type Waiting = (() => void)[]

// Captured at load time, so that fake timers of a test runner, installed later, cannot stop it.
const { setImmediate } = globalThis
const waitingKey = Symbol('sluice')

function responsesBehind(socket: NodeSocket & { [waitingKey]?: Waiting }): Waiting {
  const known = socket[waitingKey]
  if (known !== undefined) return known
  const waiting: Waiting = []
  socket[waitingKey] = waiting
  // Run in a separate turn: a response that was sent completely emits `close` by then.
  socket.once('close', () => setImmediate(() => waiting.slice().forEach((over) => over())))
  return waiting
}

/**
 * Removes a callback. The list is not a Set, because a Set, like a WeakMap, leaves old tables behind that keep their entries alive.
 */
function removeCallback(waiting: Waiting, over: () => void): void {
  // In the usual case of a single callback, pop keeps the array's capacity for the next one.
  if (waiting.at(-1) === over) return void waiting.pop()
  const place = waiting.indexOf(over)
  if (place >= 0) waiting.splice(place, 1)
}

function responseOf(
  response: NodeResponse,
  unfinished: HttpResponse['unfinished'],
  routeOf: (() => string | undefined) | undefined,
): CompleteResponse {
  // A handler may have responded through the HTTP/2 stream.
  const sent = sentHeadersOf(response)?.[':status']
  const status = typeof sent === 'number' ? sent : response.statusCode
  return {
    statusCode: response.headersSent ? status : undefined,
    route: routeOf?.(),
    unfinished,
    header: (name) => sentHeader(response, name),
  }
}
