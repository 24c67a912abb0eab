import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { ownProgram } from '../bundled-program.ts'
import type { Answer } from './answer.ts'
import type { Exchange, Post } from './http.ts'
import type { ProxySettings } from './proxy.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** What the worker is given. */
export interface ExitWorkerData {
  readonly port: MessagePort
  /** Counts the answers; the thread that waits is woken by it. */
  readonly answers: Int32Array
  /** The proxies of the program: the worker has no environment. */
  readonly proxyEnv: ProxySettings | undefined
}

/** What is said to the worker, and by it. */
export type ToWorker =
  /** `endsAt`: when the time is over, in ns of the clock that all threads have. */
  | { readonly id: number; readonly post: Post; readonly endsAt: bigint | undefined }
  | { readonly id: number; readonly cancelled: string }
export type FromWorker = { readonly id: number; readonly answer: Answer }

/** An exchange in the worker. */
export interface WorkerExchange extends Exchange {
  /** Stops this thread until there is an answer, or `deadline`, in ms of the host's clock, has come: then undefined. */
  wait(deadline: number): Answer | undefined
}

/** For how long a worker without work is kept, in ms: some `fatal` records in a row have one. */
const idleMillis = 2_000

/**
 * Sends from a thread of its own while this one stands still: at the end of the process, in `fatal` and `flushSync`, where
 * no event loop turns. The worker takes some 40 ms to start, and shares nothing with the program: no preloaded modules, no
 * environment, no agent.
 */
export class ExitSender {
  private worker: Worker | undefined
  private port: MessagePort | undefined
  private readonly answers = new Int32Array(new SharedArrayBuffer(4))
  private readonly pending = new Map<number, (answer: Answer) => void>()
  private lastId = 0
  private idle: Delay | undefined
  private readonly proxyEnv: ProxySettings | undefined

  constructor(proxyEnv?: ProxySettings) {
    this.proxyEnv = proxyEnv
  }

  /** Whether there is a worker, or one could be made. */
  get isReady(): boolean {
    return this.start() !== undefined
  }

  /** Begins to send. Only where it is ready. */
  begin(post: Post): WorkerExchange {
    const port = this.start()!
    const id = ++this.lastId
    const { promise, resolve } = Promise.withResolvers<Answer>()
    let settled: Answer | undefined
    this.pending.set(id, (answer) => {
      this.pending.delete(id)
      settled = answer
      resolve(answer)
      this.restIfIdle()
    })
    const { timeoutMillis } = post
    // The time that the worker takes to start is part of it.
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
        this.pending.get(id)?.(forsaken(why))
        return settled ?? forsaken(why)
      },
      keepAlive(alive) {
        if (alive && settled === undefined) port.ref()
        else port.unref()
      },
    }
  }

  /** Ends the worker. */
  close(): void {
    this.idle?.cancel()
    this.port?.close()
    void this.worker?.terminate()
    this.worker = undefined
    this.port = undefined
    for (const answered of this.pending.values()) answered(forsaken('the thread that sent it ended'))
    this.idle?.cancel()
  }

  private start(): MessagePort | undefined {
    this.idle?.cancel()
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
      const ended = (): void => {
        // One that was closed takes a moment to end; by then there may be another.
        if (this.worker === worker) this.close()
      }
      worker.on('error', ended)
      worker.on('exit', ended)
      worker.unref()
      this.worker = worker
    } catch {
      port1.close()
      return undefined // threads are forbidden or used up
    }
    port1.on('message', (message: FromWorker) => this.pending.get(message.id)?.(message.answer))
    port1.unref()
    return (this.port = port1)
  }

  /** Waits for an answer, whosever it is. Returns false when the time is over. */
  private waitForOne(port: MessagePort, deadline: number): boolean {
    const seen = Atomics.load(this.answers, 0)
    const received = receiveMessageOnPort(port)
    if (received !== undefined) {
      const { id, answer } = received.message as FromWorker
      this.pending.get(id)?.(answer)
      return true
    }
    const left = deadline - monotonic()
    if (left <= 0) return false
    Atomics.wait(this.answers, 0, seen, left)
    return true
  }

  private restIfIdle(): void {
    if (this.pending.size > 0) return
    this.port?.unref()
    this.idle?.cancel()
    this.idle = delay(idleMillis, () => this.close())
  }
}

/** Nobody knows how far it has come. */
function forsaken(why: string): Answer {
  return { status: undefined, why, mayHaveArrived: true }
}

/** Whether workers are allowed here, and there is a file for them: known before there is anything to send. */
export function canSendAtExit(): boolean {
  // Only with --permission there is one.
  const permission = member(process, 'permission')
  return permission?.has('worker') !== false && workerFile() !== undefined
}

function workerFile(): string | undefined {
  return ownProgram('otlp/otlp-exit-worker')
}
