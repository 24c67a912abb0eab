import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { findBundledProgram } from '../bundled-program.ts'
import type { RequestResult } from './request-result.ts'
import type { Exchange, PostRequest } from './http.ts'
import type { ProxySettings } from './proxy.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** The data that is passed to the worker when it starts. */
export interface ExitWorkerData {
  readonly port: MessagePort
  /** The number of results so far, in one element. The thread that waits for results is notified when it changes. */
  readonly resultCount: Int32Array
  /** The proxy settings of the program, because the worker has no environment variables. */
  readonly proxyEnv: ProxySettings | undefined
}

/** A message to the worker: a request to send, or the id of a request to cancel. */
export type MessageToWorker =
  /** `endsAt`: when the time limit ends, in ns of `process.hrtime`, whose clock all threads share. */
  | { readonly id: number; readonly post: PostRequest; readonly endsAt: bigint | undefined }
  /** `cancelReason`: the `why` of the request's result. */
  | { readonly id: number; readonly cancelReason: string }
/** A message from the worker: the result of a request. */
export type MessageFromWorker = { readonly id: number; readonly result: RequestResult }

/** A request that a worker sends. */
export interface WorkerExchange extends Exchange {
  /** Blocks this thread until the result arrives, or returns undefined at `deadline`, in ms of `monotonic()`. */
  wait(deadline: number): RequestResult | undefined
}

/** How long an idle worker is kept, in ms, so that several `fatal` records in a row share one. */
const idleMillis = 2_000

/**
 * Sends requests from a worker thread while this thread is blocked and its event loop does not run: at process exit, in `fatal` and in
 * `flushSync`. The worker takes about 40 ms to start. It has no preloaded modules and no environment variables of the program, and
 * does not use its agent.
 */
export class ExitSender {
  private worker: Worker | undefined
  private port: MessagePort | undefined
  private readonly resultCount = new Int32Array(new SharedArrayBuffer(4))
  /** Functions that complete the pending requests, by id. */
  private readonly pending = new Map<number, (result: RequestResult) => void>()
  private lastId = 0
  private idleTimer: Delay | undefined
  private readonly proxyEnv: ProxySettings | undefined

  constructor(proxyEnv?: ProxySettings) {
    this.proxyEnv = proxyEnv
  }

  /** Starts a worker unless one is running. Returns whether requests can be sent; false if no worker can be started. */
  ensureReady(): boolean {
    return this.ensureStarted() !== undefined
  }

  /** Starts sending a request. Call this only if `ensureReady` has returned true. */
  begin(post: PostRequest): WorkerExchange {
    const port = this.ensureStarted()!
    const id = ++this.lastId
    const { promise, resolve } = Promise.withResolvers<RequestResult>()
    let finalResult: RequestResult | undefined
    this.pending.set(id, (result) => {
      this.pending.delete(id)
      finalResult = result
      resolve(result)
      this.startIdleTimer()
    })
    const { timeoutMillis } = post
    // The time limit includes the startup time of the worker.
    const endsAt = timeoutMillis > 0 ? process.hrtime.bigint() + BigInt(Math.round(timeoutMillis * 1e6)) : undefined
    port.postMessage({ id, post, endsAt } satisfies MessageToWorker)
    port.ref()
    return {
      result: promise,
      wait: (deadline) => {
        while (this.pending.has(id) && this.handleOrAwaitMessage(port, deadline)) continue
        return finalResult
      },
      cancel: (why) => {
        if (finalResult !== undefined) return finalResult
        port.postMessage({ id, cancelReason: why } satisfies MessageToWorker)
        this.pending.get(id)?.(interruptedResult(why))
        return finalResult ?? interruptedResult(why)
      },
      keepAlive(alive) {
        if (alive && finalResult === undefined) port.ref()
        else port.unref()
      },
    }
  }

  /** Stops the worker. The outcome of each pending request is then unknown. */
  close(): void {
    this.idleTimer?.cancel()
    this.port?.close()
    void this.worker?.terminate()
    this.worker = undefined
    this.port = undefined
    for (const complete of this.pending.values()) complete(interruptedResult('the worker thread exited'))
    // Completing the last request has started the timer.
    this.idleTimer?.cancel()
  }

  /** Starts the worker unless it is running. Returns the port to it, or undefined if it cannot be started. */
  private ensureStarted(): MessagePort | undefined {
    this.idleTimer?.cancel()
    if (this.port !== undefined) return this.port
    const file = findWorkerFile()
    if (file === undefined) return undefined
    const { port1, port2 } = new MessageChannel()
    try {
      const workerData: ExitWorkerData = { port: port2, resultCount: this.resultCount, proxyEnv: this.proxyEnv }
      const worker = new Worker(
        file,
        withoutPrototype<WorkerOptions>({ workerData, transferList: [port2], execArgv: [], env: {} }),
      )
      const onEnded = (): void => {
        // A worker that `close` has stopped ends a moment later, when another may already be running.
        if (this.worker === worker) this.close()
      }
      worker.on('error', onEnded)
      worker.on('exit', onEnded)
      worker.unref()
      this.worker = worker
    } catch {
      port1.close()
      return undefined // threads are not permitted, or no more can be created
    }
    port1.on('message', (message: MessageFromWorker) => this.pending.get(message.id)?.(message.result))
    port1.unref()
    return (this.port = port1)
  }

  /**
   * Completes one request if the worker has sent a result. Otherwise blocks until there is a result, for the next call, or until
   * the deadline. Returns false only if there was no result and the deadline had passed before the call.
   */
  private handleOrAwaitMessage(port: MessagePort, deadline: number): boolean {
    // Read the count before the port: a result that arrives in between changes the count, and then `Atomics.wait` does not block.
    const lastCount = Atomics.load(this.resultCount, 0)
    const received = receiveMessageOnPort(port)
    if (received !== undefined) {
      const { id, result } = received.message as MessageFromWorker
      this.pending.get(id)?.(result)
      return true
    }
    const remainingMillis = deadline - monotonic()
    if (remainingMillis <= 0) return false
    Atomics.wait(this.resultCount, 0, lastCount, remainingMillis)
    return true
  }

  /** Stops the worker after a while, unless a request is pending or another one is sent. */
  private startIdleTimer(): void {
    if (this.pending.size > 0) return
    this.port?.unref()
    this.idleTimer?.cancel()
    this.idleTimer = delay(idleMillis, () => this.close())
  }
}

/** Returns the result of an interrupted request, whose progress is unknown. */
function interruptedResult(why: string): RequestResult {
  return { status: undefined, why, mayHaveArrived: true }
}

/** Returns whether workers are permitted and the worker's file exists. Does not start a worker. */
export function canSendAtExit(): boolean {
  // `process.permission` exists only with --permission.
  const permission = member(process, 'permission')
  return permission?.has('worker') !== false && findWorkerFile() !== undefined
}

function findWorkerFile(): string | undefined {
  return findBundledProgram('otlp/otlp-exit-worker')
}
