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
 * A stream whose lines a worker thread writes. Events: `ready`, `drain`, `drop` (a line), `finish`, `close`, `error`, those that the
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
  private readonly feed: LineFeed
  private readonly sync: boolean
  private wantsDrain = false
  private ending = false
  private isReady = false
  private wanted = true
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
    this.worker.on('exit', (code) => this.gone(code))
    this.on('message', (message: unknown) => this.worker.postMessage(message))
    this.unguard = guardFeed(this.feed, () => this.end())
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
      // At the end of the process nothing comes behind it.
      this.tellLost()
      setImmediate(() => this.fail(error, false))
      return false
    }
    if (!this.feed.add(line)) {
      this.drop(line)
      return false
    }
    if (this.sync) this.feed.post()
    if (this.feed.isHigh) this.drainLater()
    return !this.wantsDrain
  }

  /** Calls back when what was written so far has left the thread. */
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

  /** Waits until the thread has handed on what was written so far, for at most ten seconds. */
  flushSync(millis: number = exitMillis): void {
    if (this.destroyed) return
    this.feed.post()
    this.feed.waitWritten(monotonic() + millis)
  }

  /** Writes what waits, then ends the thread. */
  end(): void {
    if (this.destroyed || this.ending) return
    this.feed.post()
    this.ending = true
    this.worker.ref()
    this.feed.send({ end: true })
  }

  /** Lets the thread keep the process running, as it does until it is ready. */
  ref(): void {
    this.wanted = true
    this.worker.ref()
  }

  /** Lets the process end while the thread runs. */
  unref(): void {
    this.wanted = false
    if (this.flushes.isEmpty) this.worker.unref()
  }

  private drop(line: string): void {
    this.dropped++
    this.emit('drop', line)
    const message = `a transport's thread takes no more lines: ${this.dropped} were lost so far`
    reportDiagnostic({ code: 'SLUICE_QUEUE_FULL', message })
  }

  private drainLater(): void {
    if (this.wantsDrain) return
    this.wantsDrain = true
    const look = (): void => {
      this.feed.post()
      if (this.feed.isHigh && !this.destroyed) {
        setTimeout(look, 5)
        return
      }
      this.wantsDrain = false
      this.emit('drain')
    }
    setImmediate(look)
  }

  private onMessage(given: unknown, autoEnd: boolean): void {
    if (given === null) return
    const message = given as { code?: string; err?: Error; name?: string; args?: unknown; id?: number }
    switch (member(message, 'code')) {
      case 'READY':
        this.isReady = true
        this.wanted = false
        if (this.flushes.isEmpty && !this.ending) this.worker.unref()
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
        if (this.flushes.isEmpty && !this.wanted) this.worker.unref()
        break
      default:
      // other libraries talk to threads as well
    }
  }

  /** `closes`: the thread is of no more use. */
  private fail(error: Error, closes = true): void {
    if (closes && !this.destroyed) {
      this.destroyed = true
      this.feed.close()
      void this.worker.terminate()
    }
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: `a transport failed: ${error.message}` })
  }

  private gone(code: number): void {
    const ended = !this.destroyed && this.ending && code === 0
    const failed = !this.destroyed && !ended
    this.destroyed = true
    this.feed.close()
    this.dropped += this.feed.unwritten
    if (this.dropped > 0) this.tellLost()
    this.closed = true
    this.unguard()
    this.port.close()
    this.flushes.failAll(new Error('the worker has exited'))
    if (failed) this.fail(new Error(code === 0 ? 'the worker has exited' : 'the worker thread exited'), false)
    if (ended) this.emit('finish')
    this.emit('close')
  }

  private tellLost(): void {
    reportDiagnostic({
      code: 'SLUICE_RECORDS_LOST',
      message: `a transport has ended: ${this.dropped} lines did not reach it`,
    })
  }
}
