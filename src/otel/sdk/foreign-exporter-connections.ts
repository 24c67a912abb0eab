import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ownCopy } from '../../options/own-members.ts'

/** The connections of the call in whose asynchronous context code runs. */
// Pass options without a prototype, because Node reads `defaultValue`, which its types do not declare yet.
const Storage = AsyncLocalStorage as new (options: object) => AsyncLocalStorage<Connections>
const current = new Storage(ownCopy({}))
const socketChannel = 'net.client.socket'
const requestChannel = 'http.client.request.start'
let observers = 0

/**
 * The connections that one call of an SDK's exporter opens. An exporter that retries internally does not call back while its
 * connections are refused. When the process exits in that time, the connections prove that nothing was sent.
 */
export class Connections {
  private readonly sockets = new Set<Socket>()
  private mayHaveSent = false
  private isOver = false

  /** Calls a function and observes the connections that it opens until `end()`. Propagates errors of the function. */
  observe(call: () => void): void {
    if (observers++ === 0) {
      subscribe(socketChannel, onSocket)
      subscribe(requestChannel, onRequest)
    }
    current.run(this, call)
  }

  /** Stops observing, after the call has returned a result or was abandoned. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.sockets.clear()
    if (--observers > 0) return
    unsubscribe(socketChannel, onSocket)
    unsubscribe(requestChannel, onRequest)
  }

  /** Whether connections were attempted and none succeeded. False when that is not certain. */
  get allFailed(): boolean {
    return this.sockets.size > 0 && !this.mayHaveSent
  }

  add(socket: Socket): void {
    if (this.isOver || this.sockets.has(socket)) return
    this.sockets.add(socket)
    // A socket that was kept alive by an earlier call is already connected.
    if (socket.connecting) socket.once('connect', () => (this.mayHaveSent = true))
    else if (!socket.destroyed) this.mayHaveSent = true
  }
}

function onSocket(message: unknown): void {
  const { socket } = message as { readonly socket: Socket }
  const call = current.getStore()
  // The message is published before the socket starts to connect.
  if (call !== undefined) queueMicrotask(() => call.add(socket))
}

function onRequest(message: unknown): void {
  const { request } = message as { readonly request: { readonly socket: IncomingMessage['socket'] | null; once: Once } }
  const call = current.getStore()
  if (call === undefined) return
  if (request.socket !== null) call.add(request.socket)
  else request.once('socket', (socket) => call.add(socket))
}

type Once = (event: 'socket', listener: (socket: Socket) => void) => void
