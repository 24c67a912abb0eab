import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { findBundledProgram } from '../bundled-program.ts'
import type { RequestResult } from './request-result.ts'
import type { Exchange, Post } from './http.ts'
import type { ProxySettings } from './proxy.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** The data that the worker is started with. */
export interface ExitWorkerData {
  readonly port: MessagePort
  /** The number of answers so far. The waiting thread is notified when it changes. */
  readonly answers: Int32Array
  /** The proxy settings of the program, because the worker has no environment variables. */
  readonly proxyEnv: ProxySettings | undefined
}

/** The messages to and from the worker. */
export type ToWorker =
  /** `endsAt` is the time limit in ns of the clock shared by all threads. */
  | { readonly id: number; readonly post: Post; readonly endsAt: bigint | undefined }
  | { readonly id: number; readonly cancelled: string }
export type FromWorker = { readonly id: number; readonly answer: RequestResult }

/** A request that a worker sends. */
export interface WorkerExchange extends Exchange {
  /** Blocks this thread until the answer arrives, or returns undefined at `deadline`, in ms of the host's clock. */
  wait(deadline: number): RequestResult | undefined
}

/** How long an idle worker is kept, in ms, so that several `fatal` records in a row share one. */
const idleMillis = 2_000

/**
 * Sends requests from a worker thread while this thread is blocked: at process exit, in `fatal` and in `flushSync`, when the
 * event loop does not run. The worker takes about 40 ms to start, and shares nothing with the program: no preloaded modules, no
 * environment variables, no agent.
 */
export class ExitSender {
  private worker: Worker | undefined
  private port: MessagePort | undefined
  private readonly answers = new Int32Array(new SharedArrayBuffer(4))
  private readonly pending = new Map<number, (answer: RequestResult) => void>()
  private lastId = 0
  private idleTimer: Delay | undefined
  private readonly proxyEnv: ProxySettings | undefined

  constructor(proxyEnv?: ProxySettings) {
    this.proxyEnv = proxyEnv
  }

  /** Whether a worker is running or can be started. */
  get isReady(): boolean {
    return this.start() !== undefined
  }

  /** Starts sending a request. Call this only if `isReady` is true. */
  begin(post: Post): WorkerExchange {
    const port = this.start()!
    const id = ++this.lastId
    const { promise, resolve } = Promise.withResolvers<RequestResult>()
    let settled: RequestResult | undefined
    this.pending.set(id, (answer) => {
      this.pending.delete(id)
      settled = answer
      resolve(answer)
      this.startIdleTimer()
    })
    const { timeoutMillis } = post
    // The time limit includes the startup time of the worker.
    const endsAt = timeoutMillis > 0 ? process.hrtime.bigint() + BigInt(Math.round(timeoutMillis * 1e6)) : undefined
    port.postMessage({ id, post, endsAt } satisfies ToWorker)
    port.ref()
    return {
      answer: promise,
      wait: (deadline) => {
        while (this.pending.has(id) && this.waitForOne(port, deadline)) continue
        return settled
      },
      cancel: (why) => {
        if (settled !== undefined) return settled
        port.postMessage({ id, cancelled: why } satisfies ToWorker)
        this.pending.get(id)?.(unknownAnswer(why))
        return settled ?? unknownAnswer(why)
      },
      keepAlive(alive) {
        if (alive && settled === undefined) port.ref()
        else port.unref()
      },
    }
  }

  /** Stops the worker. */
  close(): void {
    this.idleTimer?.cancel()
    this.port?.close()
    void this.worker?.terminate()
    this.worker = undefined
    this.port = undefined
    for (const complete of this.pending.values()) complete(unknownAnswer('the worker thread exited'))
    this.idleTimer?.cancel()
  }

  private start(): MessagePort | undefined {
    this.idleTimer?.cancel()
    if (this.port !== undefined) return this.port
    const file = workerFile()
    if (file === undefined) return undefined
    const { port1, port2 } = new MessageChannel()
    try {
      const workerData: ExitWorkerData = { port: port2, answers: this.answers, proxyEnv: this.proxyEnv }
      const worker = new Worker(
        file,
        ownCopy<WorkerOptions>({ workerData, transferList: [port2], execArgv: [], env: {} }),
      )
      const onEnded = (): void => {
        // A worker that was closed stops a moment later, when another may already be running.
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
    port1.on('message', (message: FromWorker) => this.pending.get(message.id)?.(message.answer))
    port1.unref()
    return (this.port = port1)
  }

  /** Waits for one answer to any request. Returns false at the deadline. */
  private waitForOne(port: MessagePort, deadline: number): boolean {
    const lastCount = Atomics.load(this.answers, 0)
    const received = receiveMessageOnPort(port)
    if (received !== undefined) {
      const { id, answer } = received.message as FromWorker
      this.pending.get(id)?.(answer)
      return true
    }
    const left = deadline - monotonic()
    if (left <= 0) return false
    Atomics.wait(this.answers, 0, lastCount, left)
    return true
  }

  private startIdleTimer(): void {
    if (this.pending.size > 0) return
    this.port?.unref()
    this.idleTimer?.cancel()
    this.idleTimer = delay(idleMillis, () => this.close())
  }
}

/** Returns the answer of an interrupted request, whose progress is unknown. */
function unknownAnswer(why: string): RequestResult {
  return { status: undefined, why, mayHaveArrived: true }
}

/** Returns whether workers are permitted and the worker's file exists. This is determined before there is anything to send. */
export function canSendAtExit(): boolean {
  // `process.permission` exists only with --permission.
  const permission = member(process, 'permission')
  return permission?.has('worker') !== false && workerFile() !== undefined
}

function workerFile(): string | undefined {
  return findBundledProgram('otlp/otlp-exit-worker')
}
