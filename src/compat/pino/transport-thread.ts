import { EventEmitter } from 'node:events'
import type { MessagePort, Worker } from 'node:worker_threads'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { exitMillis, guardFeed, LineFeed } from './line-feed.ts'
import { flushCallback } from '../shared/flush-callback.ts'
import { PendingFlushes } from './pending-flushes.ts'
import { startThread, type ThreadOptions } from './start-thread.ts'
import { member } from '../../options/own-members.ts'

const reportDiagnostic = diagnosticReporter(undefined, stderrLine, monotonic)

/**
 * A stream whose lines are written by a worker thread. Events: `ready`, `drain`, `drop` (a line), `finish`, `close`, `error`, events that
 * the transport emits from the thread, and `message`, which is sent to the thread.
 */
export class TransportThread extends EventEmitter {
  /** The worker thread. */
  readonly worker: Worker
  /** Number of lost lines: the thread accepted none, was ending, or had exited. */
  dropped = 0
  /** Whether the thread accepts no more lines, because it failed or exited. */
  destroyed = false
  /** Whether the thread has exited. */
  closed = false
  private readonly port: MessagePort
  private readonly feed: LineFeed
  private readonly sync: boolean
  private isDrainPending = false
  private isEnding = false
  private isReady = false
  private isReferenced = true
  private readonly flushes = new PendingFlushes()
  private readonly unguard: () => void

  constructor(options: ThreadOptions) {
    super()
    const { worker, port, state } = startThread(options)
    const { autoEnd = true } = options.worker
    this.worker = worker
    this.port = port
    this.feed = new LineFeed(port, state)
    this.sync = options.sync
    this.worker.on('message', (message: unknown) => this.onMessage(message, autoEnd))
    this.worker.on('error', (error) => this.fail(error))
    this.worker.on('exit', (code) => this.handleExit(code))
    this.on('message', (message: unknown) => this.worker.postMessage(message))
    this.unguard = guardFeed(this.feed, () => this.end())
  }

  /** Whether the thread has loaded its modules. */
  get ready(): boolean {
    return this.isReady
  }
  /** Whether lines are accepted. */
  get writable(): boolean {
    return !this.destroyed && !this.isEnding
  }
  /** Whether `end` was called. */
  get writableEnded(): boolean {
    return this.isEnding
  }
  /** Whether a `drain` event is pending. */
  get writableNeedDrain(): boolean {
    return this.isDrainPending
  }

  /**
   * Writes a line.
   *
   * @returns false if the line was dropped, or if the caller should wait for `drain` before writing more
   */
  write(line: string): boolean {
    if (this.destroyed || this.isEnding) {
      const error = new Error(this.destroyed ? 'the worker has exited' : 'the worker is ending')
      this.dropped++
      this.emit('drop', line)
      // Reported now, because the process may exit before the error is emitted.
      this.reportLost()
      setImmediate(() => this.fail(error, false))
      return false
    }
    if (!this.feed.add(line)) {
      this.drop(line)
      return false
    }
    if (this.sync) this.feed.post()
    if (this.feed.isHigh) this.drainLater()
    return !this.isDrainPending
  }

  /** Calls back when the thread has flushed everything written so far. */
  flush(callback?: (error?: Error) => void): void {
    const done = flushCallback(callback, reportDiagnostic)
    if (this.destroyed) {
      process.nextTick(done, new Error('the worker has exited'))
      return
    }
    this.feed.post()
    this.worker.ref()
    this.feed.send({ flush: this.flushes.add(done) })
  }

  /**
   * Blocks until the thread has passed everything written so far to its targets.
   *
   * @param millis - maximum time in milliseconds; default: 10,000
   */
  flushSync(millis: number = exitMillis): void {
    if (this.destroyed) return
    this.feed.post()
    this.feed.waitWritten(monotonic() + millis)
  }

  /** Writes everything that is queued, then ends the thread. */
  end(): void {
    if (this.destroyed || this.isEnding) return
    this.feed.post()
    this.isEnding = true
    this.worker.ref()
    this.feed.send({ end: true })
  }

  /** Makes the thread keep the process running, as it does until it is ready. */
  ref(): void {
    this.isReferenced = true
    this.worker.ref()
  }

  /** Allows the process to exit while the thread runs. */
  unref(): void {
    this.isReferenced = false
    if (this.flushes.isEmpty) this.worker.unref()
  }

  private drop(line: string): void {
    this.dropped++
    this.emit('drop', line)
    const message = `the thread of a transport accepts no more lines: ${this.dropped} are lost so far`
    reportDiagnostic({ code: 'SLUICE_QUEUE_FULL', message })
  }

  private drainLater(): void {
    if (this.isDrainPending) return
    this.isDrainPending = true
    const checkDrained = (): void => {
      this.feed.post()
      if (this.feed.isHigh && !this.destroyed) {
        setTimeout(checkDrained, 5)
        return
      }
      this.isDrainPending = false
      this.emit('drain')
    }
    setImmediate(checkDrained)
  }

  private onMessage(given: unknown, autoEnd: boolean): void {
    if (given === null) return
    const message = given as { code?: string; err?: Error; name?: string; args?: unknown; id?: number }
    switch (member(message, 'code')) {
      case 'READY':
        this.isReady = true
        this.isReferenced = false
        if (this.flushes.isEmpty && !this.isEnding) this.worker.unref()
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
        this.flushes.done(message.id!)
        if (this.flushes.isEmpty && !this.isReferenced) this.worker.unref()
        break
      default:
      // Other libraries send messages to threads too.
    }
  }

  /** Emits or reports an error. `closes` also terminates the thread. */
  private fail(error: Error, closes = true): void {
    if (closes && !this.destroyed) {
      this.destroyed = true
      this.feed.close()
      void this.worker.terminate()
    }
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: `a transport failed: ${error.message}` })
  }

  private handleExit(code: number): void {
    const ended = !this.destroyed && this.isEnding && code === 0
    const failed = !this.destroyed && !ended
    this.destroyed = true
    this.feed.close()
    this.dropped += this.feed.unwritten
    if (this.dropped > 0) this.reportLost()
    this.closed = true
    this.unguard()
    this.port.close()
    this.flushes.failAll(new Error('the worker has exited'))
    if (failed) this.fail(new Error(code === 0 ? 'the worker has exited' : 'the worker thread exited'), false)
    if (ended) this.emit('finish')
    this.emit('close')
  }

  private reportLost(): void {
    reportDiagnostic({
      code: 'SLUICE_RECORDS_LOST',
      message: `the thread of a transport exited: ${this.dropped} lines are lost`,
    })
  }
}
