import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ownCopy } from '../../options/own-members.ts'

/** The call in whose asynchronous context code runs. */
// Options without a prototype: Node reads `defaultValue`, and its types do not have them yet.
const Storage = AsyncLocalStorage as new (options: object) => AsyncLocalStorage<Connections>
const current = new Storage(ownCopy({}))
const socketChannel = 'net.client.socket'
const requestChannel = 'http.client.request.start'
let watching = 0

/**
 * The connections that one call of an SDK's exporter opens. An exporter that tries again by itself does not answer while its
 * connections are refused; when the process ends meanwhile, they show that nothing can have been sent.
 */
export class Connections {
  private readonly sockets = new Set<Socket>()
  private mayHaveSent = false
  private isOver = false

  /** Calls a function, and observes what it starts until `end()`. Throws what it throws. */
  observe(call: () => void): void {
    if (watching++ === 0) {
      subscribe(socketChannel, onSocket)
      subscribe(requestChannel, onRequest)
    }
    current.run(this, call)
  }

  /** The call is answered, or given up. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.sockets.clear()
    if (--watching > 0) return
    unsubscribe(socketChannel, onSocket)
    unsubscribe(requestChannel, onRequest)
  }

  /** Whether connections were tried and none was ever made. False where that is not certain. */
  get allFailed(): boolean {
    return this.sockets.size > 0 && !this.mayHaveSent
  }

  add(socket: Socket): void {
    if (this.isOver || this.sockets.has(socket)) return
    this.sockets.add(socket)
    // One that was kept from an earlier call is connected already.
    if (socket.connecting) socket.once('connect', () => (this.mayHaveSent = true))
    else if (!socket.destroyed) this.mayHaveSent = true
  }
}

function onSocket(message: unknown): void {
  const { socket } = message as { readonly socket: Socket }
  const call = current.getStore()
  // It is published before the socket connects.
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
