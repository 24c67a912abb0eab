import { EventEmitter } from 'node:events'
import { flushCallback } from '../flush-callback.ts'
import { PendingLines } from './pending-lines.ts'
import { checkDestination, pathOrFdOf, type DestinationOptions } from './options.ts'
import type { Sink, SinkEvents } from './sink.ts'
import { openSink } from './open-sink.ts'
import { whenCollected } from '../../../lifecycle/dropped-loggers.ts'
import { ownCopy } from '../../../options/own-members.ts'
import { diagnosticReporter } from '../../../lifecycle/diagnostic-reporter.ts'
import { stderrLine } from '../../../exporters/stderr.ts'
import { severityMaps } from '../../../record/severity-maps.ts'
import { guardExit } from '../../../platform/node/exit-guard.ts'
import { monotonic } from '../../../platform/node/end-of-turn.ts'

/** Number of buffered and queued characters or bytes from which `write` returns false. */
const highWater = 16_387
/** Shared by all destinations, because several of one descriptor report the same diagnostics. */
const reportDiagnostic = diagnosticReporter(undefined, stderrLine, monotonic)
const info = severityMaps.pino.info!

/**
 * A stream that writes lines to a file descriptor or a file. The constructor opens the file. Everything written is in the file when the
 * process exits, unless the process is killed.
 *
 * Events: `ready`, `drain` (after a `write` that returned false), `drop` (a line, or several buffered lines, that exceeded `maxLength` or
 * that a synchronous write failed to write), `write` (number of bytes of a synchronous write), `finish` and `close` (after `end`),
 * `error`.
 */
export class Destination extends EventEmitter {
  /** Number of characters that are buffered for one write. */
  readonly minLength: number
  /** Whether each line is written before `write` returns. */
  readonly sync: boolean
  /** Whether existing content of the file is kept. */
  readonly append: boolean
  /** Whether it is closed or closing. */
  destroyed = false
  /** Whether it accepts lines. */
  writable = true
  private readonly buffer = new PendingLines()
  private isEnding = false
  private isDrainPending = false
  private readonly maxLength: number
  private readonly sink: Sink
  /** Referenced here, because the sink's other references are weak. */
  private readonly events: SinkEvents
  /** Holder for the exit guard and the timer. It references this destination only while lines are buffered, so it can be collected. */
  private readonly bufferOwner: { destination: Destination | undefined } = { destination: undefined }
  private readonly unguard: () => void
  private readonly timer: NodeJS.Timeout | undefined

  constructor(given: DestinationOptions = {}) {
    super()
    const options = ownCopy(given)
    checkDestination(options)
    this.minLength = options.minLength ?? 0
    this.maxLength = options.maxLength ?? 0
    this.sync = options.sync ?? false
    this.append = options.append ?? true
    let isOpen = false
    this.events = {
      // An error while opening is reported in the next tick, after listeners can be added.
      failed: (error) => {
        if (isOpen) this.failed(error)
        else process.nextTick(() => this.failed(error))
      },
      reportDiagnostic,
      wrote: (bytes) => this.emit('write', bytes),
      dropped: (data) => this.emit('drop', data),
      opened: () => process.nextTick(() => this.emit('ready')),
    }
    this.sink = openSink(pathOrFdOf(options), options, this.events)
    isOpen = true
    this.unguard = this.minLength > 0 ? this.guard() : () => {}
    if (options.periodicFlush) this.timer = this.flushPeriodically(options.periodicFlush)
  }

  /** The file descriptor; -1 for a file without `sync: true`, because a queued file may be reopened for any write. */
  get fd(): number {
    return this.sink.fd
  }

  /** The path of the file; null for a file descriptor. */
  get file(): string | null {
    return this.sink.file
  }

  /** Whether a `drain` event is pending. */
  get writableNeedDrain(): boolean {
    return this.isDrainPending
  }

  /**
   * Writes a line.
   *
   * @returns false if the caller should wait for `drain` before writing more
   */
  write(line: string | Uint8Array): boolean {
    return this.accept(line, info)
  }

  /** Writes a line with its severity. If the queue is full, the least severe lines are dropped first. */
  writeRecord(line: string, severity: number): boolean {
    return this.accept(line, severity)
  }

  private accept(given: string | Uint8Array, severity: number): boolean {
    if (this.destroyed) throw new Error('the destination is closed')
    const line = typeof given === 'string' || given instanceof Uint8Array ? given : String(given)
    if (this.maxLength > 0 && this.buffer.length + this.sink.queuedBytes + line.length > this.maxLength) {
      this.emit('drop', line)
    } else if (this.minLength === 0) {
      this.sink.write(line, severity)
    } else {
      this.buffer.add(line, severity)
      this.bufferOwner.destination = this
      if (this.buffer.length >= this.minLength) this.flushBuffer()
    }
    const isGood = this.buffer.length + this.sink.queuedBytes < highWater
    if (!isGood) this.drainLater()
    return isGood
  }

  /** Writes everything that is buffered or queued, and calls back when that is done or has failed. */
  flush(callback?: ((error?: Error) => void) | null): void {
    if (callback !== undefined && callback !== null && typeof callback !== 'function') {
      throw new Error('flush cb must be a function')
    }
    const done = flushCallback(callback, reportDiagnostic)
    if (this.destroyed) {
      const error = new Error('the destination is closed')
      if (!callback) throw error
      return done(error)
    }
    this.flushBuffer()
    void this.sink.flush().then(done)
  }

  /** Writes everything that is buffered or queued without the event loop, for at most 2 seconds if the reader has stopped. */
  flushSync(): void {
    if (this.destroyed) throw new Error('the destination is closed')
    this.flushBuffer()
    this.sink.flushSync()
  }

  /** Opens the file again, or another file, for example after a log rotation. */
  reopen(file?: string): void {
    if (this.destroyed) throw new Error('the destination is closed')
    if (this.isEnding) return
    this.flushBuffer()
    this.sink.reopen(file)
  }

  /** Writes everything that is buffered or queued, then closes. */
  end(): void {
    if (this.destroyed) throw new Error('the destination is closed')
    if (this.isEnding) return
    this.isEnding = true
    this.flushBuffer()
    void this.close(true)
  }

  /** Closes after everything that is buffered or queued has been written. */
  destroy(): void {
    if (this.destroyed) return
    this.flushBuffer()
    void this.close(this.isEnding)
  }

  private async close(finished: boolean): Promise<void> {
    clearInterval(this.timer)
    this.unguard()
    this.destroyed = true
    this.writable = false
    await this.sink.close()
    if (finished) this.emit('finish')
    this.emit('close')
  }

  /** Passes the buffered lines to the sink. */
  private flushBuffer(): void {
    this.bufferOwner.destination = undefined
    const released = this.buffer.takeAll()
    if (released !== undefined) this.sink.write(released.data, released.severity)
  }

  private drain(deadline: number): void {
    this.flushBuffer()
    this.sink.flushSync(Math.max(0, deadline - monotonic()))
  }

  private guard(): () => void {
    const { bufferOwner } = this
    const unguard = guardExit({
      handleSignals: true,
      exitTimeoutMillis: 2_000,
      drain: (deadline) => bufferOwner.destination?.drain(deadline),
      afterExit: () => bufferOwner.destination?.flushBuffer(),
    })
    whenCollected(this, unguard)
    return unguard
  }

  private flushPeriodically(millis: number): NodeJS.Timeout {
    const { bufferOwner } = this
    const timer = setInterval(() => bufferOwner.destination?.flushBuffer(), millis)
    whenCollected(this, () => clearInterval(timer))
    return timer.unref()
  }

  private drainLater(): void {
    if (this.isDrainPending) return
    this.isDrainPending = true
    setImmediate(() => {
      this.flushBuffer()
      void this.sink.flush().then(() => {
        this.isDrainPending = false
        this.emit('drain')
      })
    })
  }

  private failed(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: error.message })
  }
}

/** Opens a destination: a file descriptor, the path of a file, or options. The default is standard output. */
export function destination(given?: number | string | DestinationOptions): Destination {
  return new Destination(typeof given === 'object' && given !== null ? given : { dest: given })
}
