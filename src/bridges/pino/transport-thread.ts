import { EventEmitter } from 'node:events'
import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads'
import { guardExit } from '../../runtime/exit-guard.ts'
import { monotonic } from '../../runtime/end-of-turn.ts'
import { ownProgram } from '../../export/own-program.ts'
import type { Job, Message, ThreadData } from './transport-messages.ts'
import { troubleTo } from './hooks.ts'

/** What may wait for the thread, in UTF-16 units. Beyond, a log call waits for room, and in the end a line is lost and counted. */
const mostWaiting = 16 * 1024 * 1024
const highWater = 1024 * 1024
/** So much goes in one message. */
const pieceLength = 65_536
const waitMillis = 2_000
const exitMillis = 10_000
/** Where the thread counts the pieces that it has written, and says that it is done. */
const done = 0
const ended = 1

export interface ThreadOptions {
  readonly job: Job
  readonly name: string
  readonly worker: WorkerOptions & { readonly autoEnd?: boolean }
  readonly sync: boolean
}

/**
 * A stream whose lines a worker thread writes. Events: `ready`, `drain`, `drop` (a line), `close`, `error`, those that the
 * transport has the thread emit, and `message`, which goes to the thread.
 */
export class TransportThread extends EventEmitter {
  /** The worker thread. */
  readonly worker: Worker
  /** How many lines were lost: the thread took none, or was ending or gone. */
  dropped = 0
  /** Whether the thread takes no more: it failed, or is gone. */
  destroyed = false
  /** Whether the thread is gone. */
  closed = false
  private readonly port: MessagePort
  private readonly state: Int32Array
  private readonly sync: boolean
  private held = ''
  private heldLines = 0
  private sent = 0
  /** The pieces that are with the thread, oldest first. */
  private readonly pieces: { readonly length: number; readonly lines: number }[] = []
  private waiting = 0
  private stalled = false
  private scheduled = false
  private wantsDrain = false
  private ending = false
  private isReady = false
  private wanted = true
  private readonly flushes = new Map<number, (error?: Error) => void>()
  private flushId = 0
  private unguard: () => void

  constructor({ job, name, worker, sync }: ThreadOptions) {
    super()
    const { port1, port2 } = new MessageChannel()
    const memory = new SharedArrayBuffer(8)
    this.port = port1
    this.state = new Int32Array(memory)
    this.sync = sync
    const data: ThreadData = { memory, job, workerData: workerDataOf(job) }
    const { autoEnd = true, ...options } = worker
    this.worker = new Worker(program(), { ...options, name, trackUnmanagedFds: false, workerData: data })
    // The first message, and not in the data: transports hand those on.
    this.worker.postMessage(port2, [port2])
    this.port.unref()
    this.worker.on('message', (message: unknown) => this.hear(message, autoEnd))
    this.worker.on('error', (error) => this.fail(error))
    this.worker.on('exit', (code) => this.gone(code))
    this.on('message', (message: unknown) => this.worker.postMessage(message))
    this.unguard = this.guard()
  }

  /** Whether the thread has loaded its modules. */
  get ready(): boolean {
    return this.isReady
  }
  /** Whether lines are taken. */
  get writable(): boolean {
    return !this.destroyed && !this.ending
  }
  /** Whether `end` was called. */
  get writableEnded(): boolean {
    return this.ending
  }
  /** Whether `drain` is to be waited for. */
  get writableNeedDrain(): boolean {
    return this.wantsDrain
  }

  /** Takes a line. Returns whether it is good to go on. */
  write(line: string): boolean {
    if (this.destroyed || this.ending) {
      const error = new Error(this.destroyed ? 'the worker has exited' : 'the worker is ending')
      this.dropped++
      this.emit('drop', line)
      setImmediate(() => this.fail(error, false))
      return false
    }
    if (!this.hasRoom(line.length)) {
      this.drop(line)
      return false
    }
    this.held += line
    this.heldLines++
    if (this.sync || this.held.length >= pieceLength) this.post()
    else this.postSoon()
    if (this.held.length + this.waiting >= highWater) this.drainLater()
    return !this.wantsDrain
  }

  /** Calls back when what was written so far has left the thread. */
  flush(callback: (error?: Error) => void = () => {}): void {
    if (this.destroyed) {
      process.nextTick(callback, new Error('the worker has exited'))
      return
    }
    this.post()
    const id = ++this.flushId
    this.flushes.set(id, callback)
    this.worker.ref()
    this.send({ flush: id })
  }

  /** Waits until the thread has handed on what was written so far, for at most ten seconds. */
  flushSync(millis: number = exitMillis): void {
    if (this.destroyed) return
    this.post()
    this.waitUntil(monotonic() + millis, () => this.isWritten())
  }

  /** Writes what waits, then ends the thread. */
  end(): void {
    if (this.destroyed || this.ending) return
    this.post()
    this.ending = true
    this.worker.ref()
    this.send({ end: true })
  }

  /** Lets the thread keep the process running, as it does until it is ready. */
  ref(): void {
    this.wanted = true
    this.worker.ref()
  }

  /** Lets the process end while the thread runs. */
  unref(): void {
    this.wanted = false
    if (this.flushes.size === 0) this.worker.unref()
  }

  private hasRoom(length: number): boolean {
    const fits = (): boolean => this.held.length + this.inFlight() + length <= mostWaiting
    if (fits()) {
      this.stalled = false
      return true
    }
    if (this.stalled) return false
    this.post()
    this.waitUntil(monotonic() + waitMillis, fits)
    this.stalled = !fits()
    return !this.stalled
  }

  private drop(line: string): void {
    this.emit('drop', line)
    this.lose(1)
  }

  private lose(lines: number): void {
    if (lines === 0) return
    this.dropped += lines
    const message = `a transport's thread takes no more lines: ${this.dropped} were lost so far`
    troubles.tell({ code: 'SLUICE_RECORDS_LOST', message })
  }

  /** What is with the thread, in UTF-16 units. */
  private inFlight(): number {
    const written = Atomics.load(this.state, done)
    while (this.pieces.length > 0 && this.sent - this.pieces.length < written)
      this.waiting -= this.pieces.shift()!.length
    return this.waiting
  }

  private isWritten(): boolean {
    return Atomics.load(this.state, done) >= this.sent
  }

  private waitUntil(deadline: number, isSo: () => boolean): void {
    while (!isSo() && !this.destroyed) {
      const left = deadline - monotonic()
      if (left <= 0 || Atomics.load(this.state, ended) !== 0) return
      Atomics.wait(this.state, done, Atomics.load(this.state, done), Math.min(left, 50))
    }
  }

  private post(): void {
    if (this.held === '' || this.destroyed) return
    const text = this.held
    this.pieces.push({ length: text.length, lines: this.heldLines })
    this.held = ''
    this.heldLines = 0
    this.sent++
    this.waiting += text.length
    this.send({ text })
  }

  private postSoon(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.post()
    })
  }

  private send(message: Message): void {
    this.port.postMessage(message)
  }

  private drainLater(): void {
    if (this.wantsDrain) return
    this.wantsDrain = true
    const look = (): void => {
      this.post()
      if (this.inFlight() >= highWater && !this.destroyed) {
        setTimeout(look, 5)
        return
      }
      this.wantsDrain = false
      this.emit('drain')
    }
    setImmediate(look)
  }

  private hear(given: unknown, autoEnd: boolean): void {
    const message = given as { code?: string; err?: Error; name?: string; args?: unknown; id?: number } | null
    switch (message?.code) {
      case 'READY':
        this.isReady = true
        this.wanted = false
        if (this.flushes.size === 0 && !this.ending) this.worker.unref()
        if (!autoEnd) this.unguard()
        this.emit('ready')
        break
      case 'ERROR':
        this.fail(message.err!)
        break
      case 'WARNING':
        process.emitWarning(message.err!)
        break
      case 'EVENT':
        this.emit(message.name!, ...(Array.isArray(message.args) ? (message.args as unknown[]) : [message.args]))
        break
      case 'FLUSHED':
        this.flushed(message.id!)
        break
      default:
      // other libraries talk to threads as well
    }
  }

  private flushed(id: number): void {
    const callback = this.flushes.get(id)
    this.flushes.delete(id)
    if (this.flushes.size === 0 && !this.wanted) this.worker.unref()
    callback?.()
  }

  /** `closes`: the thread is of no more use. */
  private fail(error: Error, closes = true): void {
    if (closes && !this.destroyed) {
      this.destroyed = true
      void this.worker.terminate()
    }
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else troubles.tell({ code: 'SLUICE_WRITE_FAILED', message: `a transport failed: ${error.message}` })
  }

  private gone(code: number): void {
    const failed = !this.destroyed && (code !== 0 || !this.ending)
    this.destroyed = true
    this.inFlight()
    this.lose(this.pieces.reduce((sum, { lines }) => sum + lines, this.heldLines))
    this.closed = true
    this.unguard()
    this.port.close()
    for (const callback of this.flushes.values()) callback(new Error('the worker has exited'))
    this.flushes.clear()
    if (failed) this.fail(new Error(code === 0 ? 'the worker has exited' : 'the worker thread exited'), false)
    this.emit('close')
  }

  private guard(): () => void {
    const stop = guardExit({
      handleSignals: true,
      exitTimeoutMillis: exitMillis,
      drain: (deadline, occasion) => {
        this.post()
        if (occasion === 'pass') return
        this.waitUntil(deadline, () => this.isWritten())
        if (occasion !== 'exit') return
        this.end()
        this.waitUntil(deadline, () => Atomics.load(this.state, ended) !== 0)
      },
      afterExit: () => {},
    })
    return () => {
      stop()
      this.unguard = () => {}
    }
  }
}

const troubles = troubleTo(undefined)

function workerDataOf({ options }: Job): object {
  return { $context: { threadStreamVersion: '4.0.0' }, ...options, pinoWillSendConfig: true }
}

function program(): string {
  const path = ownProgram('../bridges/pino/pino-worker')
  if (path === undefined) {
    throw new Error(
      'the program of transports, pino-worker.mjs, was left behind by a bundler: put it beside the bundle',
    )
  }
  return path
}
