import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { withoutPrototype } from '../../options/own-members.ts'

// The options have no prototype: Node reads `defaultValue`, which could be on `Object.prototype`. Its types do not declare options yet.
const Storage = AsyncLocalStorage as new (options: object) => AsyncLocalStorage<Connections>
/** The connections of the call of `export` in whose asynchronous context code runs. */
const currentConnections = new Storage(withoutPrototype({}))
const socketChannel = 'net.client.socket'
const requestChannel = 'http.client.request.start'
/** The number of calls that are observed. */
let observedCalls = 0

/**
 * The connections that one call of an SDK's exporter uses. An exporter that retries internally does not call back while its connections
 * are refused. If the process exits in that time, this object shows that nothing was sent.
 */
export class Connections {
  private readonly sockets = new Set<Socket>()
  private mayHaveSent = false
  private isOver = false

  /** Calls a function and observes the connections that it uses until `end()`. Propagates errors of the function. */
  observe(call: () => void): void {
    if (observedCalls++ === 0) {
      subscribe(socketChannel, onSocket)
      subscribe(requestChannel, onRequest)
    }
    currentConnections.run(this, call)
  }

  /** Stops observing. Called when the result of the call is known. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.sockets.clear()
    if (--observedCalls > 0) return
    unsubscribe(socketChannel, onSocket)
    unsubscribe(requestChannel, onRequest)
  }

  /** Whether it is certain that nothing was sent: connections were attempted, and none was established so far. */
  get isNothingSent(): boolean {
    return this.sockets.size > 0 && !this.mayHaveSent
  }

  add(socket: Socket): void {
    if (this.isOver || this.sockets.has(socket)) return
    this.sockets.add(socket)
    // A socket that an earlier request has kept alive is already connected.
    if (socket.connecting) socket.once('connect', () => (this.mayHaveSent = true))
    else if (!socket.destroyed) this.mayHaveSent = true
  }
}

function onSocket(message: unknown): void {
  const { socket } = message as { readonly socket: Socket }
  const connections = currentConnections.getStore()
  // The message is published before the socket starts to connect.
  if (connections !== undefined) queueMicrotask(() => connections.add(socket))
}

/** Adds the socket of an HTTP request. It may be one that was kept alive, for which `onSocket` is not called. */
function onRequest(message: unknown): void {
  const { request } = message as { readonly request: { readonly socket: IncomingMessage['socket'] | null; once: Once } }
  const connections = currentConnections.getStore()
  if (connections === undefined) return
  if (request.socket !== null) connections.add(request.socket)
  else request.once('socket', (socket) => connections.add(socket))
}

type Once = (event: 'socket', listener: (socket: Socket) => void) => void
