import { member } from '../options/own-members.ts'
import type { HttpResponse } from './exchange.ts'
import { nodeRequest, type FrameworkRequest } from './node-request.ts'
import type { RequestLog } from './request-log.ts'
import type { RequestScope } from './request-scope.ts'
import type { NodeRequest, NodeResponse, NodeSocket, NodeStream } from './node-message.ts'
import { sentHeader, sentHeadersOf } from './sent-headers.ts'
import type { CompleteResponse } from './exchange.ts'

/** Exchanges, of servers of Node's most of all: each has one scope, however often its request comes by. */
export class NodeExchanges {
  readonly #log: RequestLog
  /** Under which a request has its scope. A WeakMap of requests would keep them until the collector looks at everything. */
  readonly #key = Symbol('sluice')

  constructor(log: RequestLog) {
    this.#log = log
  }

  /** The scope that a request has; undefined where it has none yet. */
  known(request: object): RequestScope | undefined {
    return (request as Scoped)[this.#key]
  }

  /** From now on it is the scope of this request, unless somebody has frozen that. */
  keep(request: object, scope: RequestScope): void {
    if (Object.isExtensible(request)) (request as Scoped)[this.#key] = scope
  }

  /**
   * The scope of an exchange, which ends when the response does, or its connection.
   *
   * @param routeOf - asked for the route at the end
   */
  scopeOf(
    request: NodeRequest,
    response: NodeResponse,
    known?: FrameworkRequest,
    routeOf?: () => string | undefined,
  ): RequestScope {
    const before = this.known(request)
    if (before !== undefined) return before
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
 * Calls `end` once. A response says `close` when all of it was handed over and when its connection is lost; but one that waits
 * behind another of the same connection says nothing when that is lost, so the connection is asked as well.
 */
function watch(request: NodeRequest, response: NodeResponse, end: End): void {
  const before = response as NodeResponse & AlreadyOver & { readonly writableFinished?: boolean }
  const { socket } = request
  const stream = streamOf(request, response)
  // A response of HTTP/2 says `finish` of each end, its stream of its own only, and of a reset one whose code tells it.
  const hasEnded = (): boolean => (stream === undefined ? response.writableEnded : member(stream, 'rstCode') === 0)
  let finished = member(stream ?? before, 'writableFinished') === true && hasEnded()
  // In HTTP/2 none waits behind another: the socket of a request stands for its own stream, which tells the response.
  const waiting = stream === undefined ? responsesBehind(socket) : undefined
  const over = (): void => {
    if (waiting !== undefined) leave(waiting, over)
    // Of a connection that was handed over, as to a WebSocket, a response that somebody has made for it says nothing.
    const handedOver = member(request, 'upgrade') === true && !response.headersSent
    end(finished || handedOver ? undefined : 'aborted')
  }
  waiting?.push(over)
  const from: Pick<NodeStream, 'on'> = stream ?? response
  from.on('finish', () => (finished = hasEnded()))
  response.on('close', over)
  // Nothing says `close` again that said it while something in front of the request log was waiting.
  const connection: NodeSocket & AlreadyOver = socket
  if (isOver(before) || member(connection, 'destroyed') === true) setImmediate(over)
}

/** The stream of a response of HTTP/2. */
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

/** What is to be called when a connection is lost: nearly always one. */
type Waiting = (() => void)[]

// Taken at load, so that a test runner's fake timers, installed later, cannot stop it.
const { setImmediate } = globalThis
const waitingKey = Symbol('sluice')

function responsesBehind(socket: NodeSocket & { [waitingKey]?: Waiting }): Waiting {
  const known = socket[waitingKey]
  if (known !== undefined) return known
  const waiting: Waiting = []
  socket[waitingKey] = waiting
  // In a turn of its own: a response that was sent as a whole says so by then.
  socket.once('close', () => setImmediate(() => waiting.slice().forEach((over) => over())))
  return waiting
}

/** Not by a Set: like a WeakMap it leaves tables behind that keep what stood in them. */
function leave(waiting: Waiting, over: () => void): void {
  // The usual end, of the only one, keeps the array's room for the next.
  if (waiting.at(-1) === over) return void waiting.pop()
  const place = waiting.indexOf(over)
  if (place >= 0) waiting.splice(place, 1)
}

function responseOf(
  response: NodeResponse,
  unfinished: HttpResponse['unfinished'],
  routeOf: (() => string | undefined) | undefined,
): CompleteResponse {
  // A handler may have answered by the stream.
  const sent = sentHeadersOf(response)?.[':status']
  const status = typeof sent === 'number' ? sent : response.statusCode
  return {
    statusCode: response.headersSent ? status : undefined,
    route: routeOf?.(),
    unfinished,
    header: (name) => sentHeader(response, name),
  }
}
