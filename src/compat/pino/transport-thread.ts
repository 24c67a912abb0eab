import { counted, isOrAre } from '../../options/counted.ts'
import { EventEmitter } from 'node:events'
import type { MessagePort, Worker } from 'node:worker_threads'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { writeStderrLine } from '../../exporters/stderr.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { threadTimeoutMillis, guardLineQueue, ThreadLineQueue } from './thread-line-queue.ts'
import { wrapFlushCallback } from '../shared/flush-callback.ts'
import { PendingFlushes } from './pending-flushes.ts'
import { startThread, type ThreadOptions } from './start-thread.ts'
import { member } from '../../options/own-members.ts'
import { typeName } from '../../options/option-checks.ts'
import { isError } from '../../values/is-error.ts'
import { primitiveText } from '../../values/thrown-marker.ts'

const reportDiagnostic = diagnosticReporter(undefined, writeStderrLine, monotonic)

/**
 * A stream whose lines are written by a worker thread. Events: `ready`, `drain`, `drop` (a line), `finish`, `close`, `error`, events that
 * the transport emits from the thread, and `message`, which is sent to the thread.
 */
export class TransportThread extends EventEmitter {
  /** The worker thread. */
  readonly worker: Worker
  /** Number of lines that were lost, because the queue was full, or because the thread was ending or had exited. */
  dropped = 0
  /** Whether the thread accepts no more lines, because it failed or exited. */
  destroyed = false
  /** Whether the thread has exited. */
  closed = false
  private readonly port: MessagePort
  private readonly lineQueue: ThreadLineQueue
  private readonly sync: boolean
  /** Whether a `drain` event will be emitted. */
  private isDrainPending = false
  /** Whether `end` was called. */
  private isEnding = false
  private isReady = false
  /** Whether the thread keeps the process running, even without a pending flush. */
  private isReferenced = true
  private readonly pendingFlushes = new PendingFlushes()
  private readonly removeExitGuard: () => void

  constructor(options: ThreadOptions) {
    super()
    const { worker, port, sharedState } = startThread(options)
    const { autoEnd = true } = options.worker
    this.worker = worker
    this.port = port
    this.lineQueue = new ThreadLineQueue(port, sharedState)
    this.sync = options.sync
    this.worker.on('message', (message: unknown) => this.onMessage(message, autoEnd))
    this.worker.on('error', (error) => this.fail(error))
    this.worker.on('exit', (code) => this.handleExit(code))
    this.on('message', (message: unknown) => this.worker.postMessage(message))
    this.removeExitGuard = guardLineQueue(this.lineQueue, () => this.end())
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
      setImmediate(() => this.emitOrReportError(error))
      return false
    }
    if (!this.lineQueue.add(line)) {
      this.drop(line)
      return false
    }
    if (this.sync) this.lineQueue.sendBuffered()
    if (this.lineQueue.hasReachedHighWaterMark) this.emitDrainLater()
    return !this.isDrainPending
  }

  /** Calls back when the thread has flushed everything written so far, or has exited. */
  flush(callback?: (error?: Error) => void): void {
    const done = wrapFlushCallback(callback, reportDiagnostic)
    if (this.destroyed) {
      process.nextTick(done, new Error('the worker has exited'))
      return
    }
    this.lineQueue.sendBuffered()
    this.worker.ref()
    this.lineQueue.send({ flush: this.pendingFlushes.add(done) })
  }

  /**
   * Blocks until the thread has passed everything written so far to its targets.
   *
   * @param millis - maximum time in milliseconds; default: 10,000
   */
  flushSync(millis: number = threadTimeoutMillis): void {
    if (this.destroyed) return
    this.lineQueue.sendBuffered()
    this.lineQueue.waitUntilWritten(monotonic() + millis)
  }

  /** Makes the thread write everything that is queued, then end. Does not wait for it. */
  end(): void {
    if (this.destroyed || this.isEnding) return
    this.lineQueue.sendBuffered()
    this.isEnding = true
    this.worker.ref()
    this.lineQueue.send({ end: true })
  }

  /** Makes the thread keep the process running, as it does until it is ready. */
  ref(): void {
    this.isReferenced = true
    this.worker.ref()
  }

  /** Allows the process to exit while the thread runs, except during a flush and after `end`. */
  unref(): void {
    this.isReferenced = false
    this.unrefIfIdle()
  }

  private unrefIfIdle(): void {
    if (this.pendingFlushes.isEmpty && !this.isEnding && !this.isReferenced) this.worker.unref()
  }

  /** Counts and reports a line for which the queue has no space, and emits `drop`. */
  private drop(line: string): void {
    this.dropped++
    this.emit('drop', line)
    const message = `the thread of a transport accepts no more lines: ${this.dropped} are lost so far`
    reportDiagnostic({ code: 'SLUICE_QUEUE_FULL', message })
  }

  /** Emits `drain` when less than the high-water mark is queued, or when the thread has failed. */
  private emitDrainLater(): void {
    if (this.isDrainPending) return
    this.isDrainPending = true
    const checkDrained = (): void => {
      this.lineQueue.sendBuffered()
      if (this.lineQueue.hasReachedHighWaterMark && !this.destroyed) {
        setTimeout(checkDrained, 5)
        return
      }
      this.isDrainPending = false
      this.emit('drain')
    }
    setImmediate(checkDrained)
  }

  private onMessage(received: unknown, autoEnd: boolean): void {
    // Transport modules can send other messages, of any type.
    if (typeof received !== 'object' || received === null) return
    const message = received as { code?: string; err?: unknown; name?: string; args?: unknown; id?: number }
    switch (member(message, 'code')) {
      case 'READY':
        this.isReady = true
        this.isReferenced = false
        this.unrefIfIdle()
        if (!autoEnd) this.removeExitGuard()
        this.emit('ready')
        break
      case 'ERROR':
        this.fail(message.err)
        break
      case 'WARNING':
        process.emitWarning(errorOf(message.err))
        break
      case 'EVENT': {
        const args = Array.isArray(message.args) ? (message.args as unknown[]) : [message.args]
        if (message.name === 'error') this.emitOrReportError(errorOf(args[0]))
        else this.emit(message.name!, ...args)
        break
      }
      case 'FLUSHED':
        this.pendingFlushes.confirm(message.id!)
        this.unrefIfIdle()
        break
      default:
    }
  }

  /** Terminates the thread, and emits or reports the error. */
  private fail(reason: unknown): void {
    const error = errorOf(reason)
    if (!this.destroyed) {
      this.destroyed = true
      this.lineQueue.close()
      void this.worker.terminate()
    }
    this.emitOrReportError(error)
  }

  /** Emits an error, or reports it if there is no listener. */
  private emitOrReportError(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: `a transport failed: ${error.message}` })
  }

  private handleExit(code: number): void {
    const hasEnded = !this.destroyed && this.isEnding && code === 0
    const hasFailed = !this.destroyed && !hasEnded
    this.destroyed = true
    this.lineQueue.close()
    this.dropped += this.lineQueue.unwrittenLines
    if (this.dropped > 0) this.reportLost()
    this.closed = true
    this.removeExitGuard()
    this.port.close()
    this.pendingFlushes.failAll(new Error('the worker has exited'))
    if (hasFailed) this.emitOrReportError(new Error(code === 0 ? 'the worker has exited' : 'the worker thread exited'))
    if (hasEnded) this.emit('finish')
    this.emit('close')
  }

  private reportLost(): void {
    reportDiagnostic({
      code: 'SLUICE_RECORDS_LOST',
      message: `the thread of a transport exited: ${counted(this.dropped, 'line')} ${isOrAre(this.dropped)} lost`,
    })
  }
}

/** Returns what a transport threw, which can be any value, as an Error. */
function errorOf(reason: unknown): Error {
  if (isError(reason)) return reason
  const isObject = typeof reason === 'object' && reason !== null
  const text = primitiveText(isObject ? member(reason as Partial<Error>, 'message') : reason)
  return new Error(text || `the transport threw ${typeName(reason)}`, { cause: reason })
}
