import { EventEmitter } from 'node:events'
import { wrapFlushCallback } from '../flush-callback.ts'
import { PendingLines } from './pending-lines.ts'
import { checkDestinationOptions, pathOrFdOf, type DestinationOptions } from './options.ts'
import type { Sink, SinkEvents } from './sink.ts'
import { openSink } from './open-sink.ts'
import { whenCollected } from '../../../lifecycle/dropped-loggers.ts'
import { withoutPrototype } from '../../../options/own-members.ts'
import { diagnosticReporter } from '../../../lifecycle/diagnostic-reporter.ts'
import { writeStderrLine } from '../../../exporters/stderr.ts'
import { severityMaps } from '../../../record/severity-maps.ts'
import { guardExit } from '../../../platform/node/exit-guard.ts'
import { monotonic } from '../../../platform/node/end-of-turn.ts'

/** Number of buffered characters and queued bytes from which `write` returns false: the default of pino's destination (sonic-boom). */
const highWaterMark = 16_387
/** Shared by all destinations, because several of one descriptor report the same diagnostics. */
const reportDiagnostic = diagnosticReporter(undefined, writeStderrLine, monotonic)
const infoSeverity = severityMaps.pino.info!

/**
 * A stream that writes lines to a file descriptor or a file. The constructor opens the file. Lines that are buffered or queued when
 * the process exits are still written, within a time limit, unless it is killed.
 *
 * Events: `ready`, `drain` (after a `write` that returned false), `drop` (a line, or several buffered lines, that exceeded `maxLength` or
 * that a synchronous write failed to write), `write` (number of bytes of a synchronous write), `finish` (after `end`),
 * `close` (after `end` or `destroy`), `error`.
 */
export class Destination extends EventEmitter {
  /** Number of characters that are buffered for one write. */
  readonly minLength: number
  /** The option `sync`: whether lines are written before `write` returns, unless `minLength` buffers them. */
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
  /** Referenced here, because the list of destinations that share a descriptor or file refers to it only weakly. */
  private readonly events: SinkEvents
  /**
   * Referenced by the exit guard and the timer instead of this destination. It refers to the destination only while lines are buffered, so
   * that a destination without buffered lines can be garbage collected.
   */
  private readonly bufferOwner: { destination: Destination | undefined } = { destination: undefined }
  private readonly removeExitGuard: () => void
  private readonly flushTimer: NodeJS.Timeout | undefined

  constructor(given: DestinationOptions = {}) {
    super()
    const options = withoutPrototype(given)
    checkDestinationOptions(options)
    this.minLength = options.minLength ?? 0
    this.maxLength = options.maxLength ?? 0
    this.sync = options.sync ?? false
    this.append = options.append ?? true
    let isOpen = false
    this.events = {
      // An error while opening is reported in the next tick, after listeners can be added.
      onError: (error) => {
        if (isOpen) this.emitError(error)
        else process.nextTick(() => this.emitError(error))
      },
      reportDiagnostic,
      onWrite: (bytes) => this.emit('write', bytes),
      onDrop: (data) => this.emit('drop', data),
      onOpen: () => process.nextTick(() => this.emit('ready')),
    }
    this.sink = openSink(pathOrFdOf(options), options, this.events)
    isOpen = true
    this.removeExitGuard = this.minLength > 0 ? this.addExitGuard() : () => {}
    if (options.periodicFlush) this.flushTimer = this.flushPeriodically(options.periodicFlush)
  }

  /** The file descriptor; -1 for a file that is written through a queue, because it may be reopened for any write. */
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
    return this.writeOrBuffer(line, infoSeverity)
  }

  /** Writes a line with its OpenTelemetry severity number. If the queue is full, the least severe lines are dropped first. */
  writeRecord(line: string, severity: number): boolean {
    return this.writeOrBuffer(line, severity)
  }

  /** Writes a line, or buffers it if there is a `minLength`. A line with which all pending lines exceed `maxLength` is dropped. */
  private writeOrBuffer(data: string | Uint8Array, severity: number): boolean {
    if (this.destroyed) throw new Error('the destination is closed')
    const line = typeof data === 'string' || data instanceof Uint8Array ? data : String(data)
    if (this.maxLength > 0 && this.buffer.length + this.sink.queuedBytes + line.length > this.maxLength) {
      this.emit('drop', line)
    } else if (this.minLength === 0) {
      this.sink.write(line, severity)
    } else {
      this.buffer.add(line, severity)
      this.bufferOwner.destination = this
      if (this.buffer.length >= this.minLength) this.flushBuffer()
    }
    const hasSpace = this.buffer.length + this.sink.queuedBytes < highWaterMark
    if (!hasSpace) this.emitDrainLater()
    return hasSpace
  }

  /** Writes everything that is buffered or queued, and calls back when that is done or has failed. */
  flush(callback?: ((error?: Error) => void) | null): void {
    if (callback !== undefined && callback !== null && typeof callback !== 'function') {
      throw new Error('flush cb must be a function')
    }
    const done = wrapFlushCallback(callback, reportDiagnostic)
    if (this.destroyed) {
      const error = new Error('the destination is closed')
      if (!callback) throw error
      return done(error)
    }
    this.flushBuffer()
    void this.sink.flush().then(done)
  }

  /**
   * Writes everything that is buffered or queued without the event loop; if the reader has stopped, for at most the time that the profile
   * allows at exit, by default 2 seconds.
   */
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
    void this.close({ emitsFinish: true })
  }

  /** Closes after everything that is buffered or queued has been written. */
  destroy(): void {
    if (this.destroyed) return
    this.flushBuffer()
    void this.close({ emitsFinish: this.isEnding })
  }

  private async close({ emitsFinish }: { readonly emitsFinish: boolean }): Promise<void> {
    clearInterval(this.flushTimer)
    this.removeExitGuard()
    this.destroyed = true
    this.writable = false
    await this.sink.close()
    if (emitsFinish) this.emit('finish')
    this.emit('close')
  }

  /** Passes the buffered lines to the sink. */
  private flushBuffer(): void {
    this.bufferOwner.destination = undefined
    const lines = this.buffer.takeAll()
    if (lines !== undefined) this.sink.write(lines.data, lines.severity)
  }

  /** @param deadline - in milliseconds of the monotonic clock */
  private drainAtExit(deadline: number): void {
    this.flushBuffer()
    this.sink.flushSync(Math.max(0, deadline - monotonic()))
  }

  private addExitGuard(): () => void {
    const { bufferOwner } = this
    const unguard = guardExit({
      handleSignals: true,
      exitTimeoutMillis: 2_000,
      drain: (deadline) => bufferOwner.destination?.drainAtExit(deadline),
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

  /** Emits `drain` after everything that is buffered or queued has been written. */
  private emitDrainLater(): void {
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

  /** Emits `error`, or reports a diagnostic if the event has no listeners. */
  private emitError(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: error.message })
  }
}

/** Opens a destination: a file descriptor, the path of a file, or options. The default is standard output. */
export function destination(given?: number | string | DestinationOptions): Destination {
  return new Destination(typeof given === 'object' && given !== null ? given : { dest: given })
}
