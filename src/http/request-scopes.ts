import type { RequestBodies } from './request-bodies.ts'
import { member } from '../options/own-members.ts'
import type { HttpResponse } from './exchange.ts'
import { convertNodeRequest, type FrameworkRequest } from './node-request.ts'
import { captureRequestBody, captureResponseBody } from './node-bodies.ts'
import type { RequestIdentity } from './request-id.ts'
import type { AdapterLog } from './request-log.ts'
import type { AdapterScope } from './request-scope.ts'
import type { NodeRequest, NodeResponse, NodeSocket, NodeStream } from './node-message.ts'
import { sentHeader, sentHeadersOf } from './sent-headers.ts'
import type { CompleteResponse } from './exchange.ts'

/** The request scopes of a request log, mainly for Node servers. Each request has one scope, however often it is passed in. */
export class RequestScopes {
  readonly #log: AdapterLog
  /** The key under which a request stores its scope. A WeakMap would keep requests alive until a major garbage collection. */
  readonly #key = Symbol('sluice')

  constructor(log: AdapterLog) {
    this.#log = log
  }

  /** Returns the scope of a request; undefined when it has none yet. */
  existingScope(request: object): AdapterScope | undefined {
    return (request as ScopeHolder)[this.#key]
  }

  /** Stores the scope of a request, unless the request is not extensible. */
  storeScope(request: object, scope: AdapterScope): void {
    if (Object.isExtensible(request)) (request as ScopeHolder)[this.#key] = scope
  }

  /**
   * Returns the scope of a request, which ends when the response or its connection does.
   *
   * @param routeOf - called at the end to get the route
   * @param identity - the ID of the request, if it is chosen already
   */
  scopeOf(
    request: NodeRequest,
    response: NodeResponse,
    frameworkRequest?: FrameworkRequest,
    routeOf?: () => string | undefined,
    identity?: RequestIdentity,
  ): AdapterScope {
    const existing = this.existingScope(request)
    if (existing !== undefined) return existing
    const scope = this.#log.begin(convertNodeRequest(request, frameworkRequest), identity)
    this.storeScope(request, scope)
    if (scope.bodies !== undefined) captureBodies(scope.bodies, request, response)
    if (scope.echo !== undefined && !response.headersSent) response.setHeader(...scope.echo)
    observeEnd(request, response, (unfinished) => scope.end(responseOf(response, unfinished, routeOf)))
    return scope
  }
}

interface ScopeHolder {
  [key: symbol]: AdapterScope | undefined
}

function captureBodies(
  { request: requestBody, response: responseBody }: RequestBodies,
  request: NodeRequest,
  response: NodeResponse,
) {
  if (requestBody !== undefined) captureRequestBody(request, requestBody)
  if (responseBody !== undefined) captureResponseBody(response, responseBody)
}

/** Receives the reason why a response was not sent completely; undefined if it was. */
type EndCallback = (unfinished: HttpResponse['unfinished']) => void

/**
 * Calls `end` when the response or its connection has ended. A response emits `close` when it was passed on completely and when its
 * connection is lost; but a response queued behind another one on the same connection emits nothing when the connection is lost, so
 * the connection is observed too.
 */
function observeEnd(request: NodeRequest, response: NodeResponse, end: EndCallback): void {
  const responseState = response as NodeResponse & CloseState & { readonly writableFinished?: boolean }
  const { socket } = request
  const stream = streamOf(request, response)
  // An HTTP/2 response emits `finish` for every kind of end, and its stream when the stream has ended, completely or by a reset.
  // `rstCode` distinguishes the two: it is 0 without a reset.
  const hasEnded = (): boolean => (stream === undefined ? response.writableEnded : member(stream, 'rstCode') === 0)
  let isSent = member(stream ?? responseState, 'writableFinished') === true && hasEnded()
  // In HTTP/2 responses are not queued behind one another: the socket of a request represents its own stream, and the response
  // reports its end.
  const closeCallbacks = stream === undefined ? closeCallbacksOf(socket) : undefined
  const handleClose = (): void => {
    if (closeCallbacks !== undefined) removeCallback(closeCallbacks, handleClose)
    // Node hands over the connection of an upgrade, as for a WebSocket. A response that other code creates for it may never be sent, and
    // the request is not aborted because of that.
    const isHandedOver = member(request, 'upgrade') === true && !response.headersSent
    end(isSent || isHandedOver ? undefined : 'aborted')
  }
  closeCallbacks?.push(handleClose)
  const emitter: Pick<NodeStream, 'on'> = stream ?? response
  emitter.on('finish', () => (isSent = hasEnded()))
  response.on('close', handleClose)
  // `close` is not emitted again if it was emitted while middleware before the request log was waiting.
  const connection: NodeSocket & CloseState = socket
  if (hasClosed(responseState) || member(connection, 'destroyed') === true) setImmediate(handleClose)
}

/** Returns the stream of an HTTP/2 response. */
function streamOf(request: NodeRequest & { readonly httpVersionMajor?: number }, response: NodeResponse) {
  return member(request, 'httpVersionMajor') === 2 ? member(response, 'stream') : undefined
}

function hasClosed(response: CloseState): boolean {
  return member(response, 'closed') === true || member(response, 'destroyed') === true
}

/** The members of a response or connection that show whether it has been closed. */
interface CloseState {
  readonly closed?: boolean
  readonly destroyed?: boolean
}

/** The callbacks to call when a connection is closed, one for each pending response: nearly always one. */
type CloseCallbacks = (() => void)[]

// Captured at load time, so that fake timers of a test runner, installed later, cannot stop it.
const { setImmediate } = globalThis
const closeCallbacksKey = Symbol('sluice')

/** Returns the callbacks of a connection, which are called when the connection is closed. */
function closeCallbacksOf(socket: NodeSocket & { [closeCallbacksKey]?: CloseCallbacks }): CloseCallbacks {
  const existing = socket[closeCallbacksKey]
  if (existing !== undefined) return existing
  const callbacks: CloseCallbacks = []
  socket[closeCallbacksKey] = callbacks
  // Called in a later turn: a response that was sent completely has emitted `close` by then, which removes its callback.
  socket.once('close', () => setImmediate(() => callbacks.slice().forEach((callback) => callback())))
  return callbacks
}

/**
 * Removes a callback. The list is not a Set, because a Set, like a WeakMap, leaves old tables behind that keep their entries alive until a
 * major garbage collection.
 */
function removeCallback(callbacks: CloseCallbacks, callback: () => void): void {
  // In the usual case of a single callback, pop keeps the array's capacity for the next one.
  if (callbacks.at(-1) === callback) return void callbacks.pop()
  const index = callbacks.indexOf(callback)
  if (index >= 0) callbacks.splice(index, 1)
}

function responseOf(
  response: NodeResponse,
  unfinished: HttpResponse['unfinished'],
  routeOf: (() => string | undefined) | undefined,
): CompleteResponse {
  // A handler may have responded through the HTTP/2 stream.
  const sentStatus = sentHeadersOf(response)?.[':status']
  const status = typeof sentStatus === 'number' ? sentStatus : response.statusCode
  return {
    statusCode: response.headersSent ? status : undefined,
    route: routeOf?.(),
    unfinished,
    header: (name) => sentHeader(response, name),
  }
}
