import { EventEmitter } from 'node:events'
import { flushCallback } from '../flush-callback.ts'
import { HeldLines } from './held-lines.ts'
import { checkDestination, placeOf, type DestinationOptions } from './options.ts'
import { openSink, type Sink, type SinkEvents } from './sink.ts'
import { whenDropped } from '../../../lifecycle/dropped-loggers.ts'
import { ownCopy } from '../../../options/own-members.ts'
import { diagnosticReporter } from '../../../lifecycle/diagnostic-reporter.ts'
import { stderrLine } from '../../../exporters/stderr.ts'
import { severityMaps } from '../../../record/severity-maps.ts'
import { guardExit } from '../../../platform/node/exit-guard.ts'
import { monotonic } from '../../../platform/node/end-of-turn.ts'

/** When `write` says that it would rather wait, in characters. */
const highWater = 16_387
/** Of all destinations together: several of one descriptor have the same to say. */
const reportDiagnostic = diagnosticReporter(undefined, stderrLine, monotonic)
const info = severityMaps.pino.info!

/**
 * Writes lines to a descriptor or a file. The file is open when this returns, and what was written is in it when the process
 * ends, unless it is killed.
 *
 * Events: `ready`, `drain` (after a `write` that returned false), `drop` (a line, or several
 * that were held back: beyond `maxLength`, or what a synchronous one could not write), `write` (bytes of a synchronous one),
 * `finish` and `close` (after `end`), `error`.
 */
export class Destination extends EventEmitter {
  /** How many characters are held back for one write. */
  readonly minLength: number
  /** Whether each line is written before `write` returns. */
  readonly sync: boolean
  /** Whether the file keeps what it had. */
  readonly append: boolean
  /** Whether it is closed, or closing. */
  destroyed = false
  /** Whether lines are taken. */
  writable = true
  private readonly held = new HeldLines()
  private ending = false
  private wantsDrain = false
  private readonly maxLength: number
  private readonly sink: Sink
  /** Held here, because others hold them weakly. */
  private readonly events: SinkEvents
  /** What outlives a dropped destination: it refers to this one only while lines are held back. */
  private readonly kept: { destination: Destination | undefined } = { destination: undefined }
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
    let begun = false
    this.events = {
      // Nobody can have begun to listen to what fails as it is opened.
      failed: (error) => {
        if (begun) this.failed(error)
        else process.nextTick(() => this.failed(error))
      },
      reportDiagnostic,
      wrote: (bytes) => this.emit('write', bytes),
      dropped: (data) => this.emit('drop', data),
      opened: () => process.nextTick(() => this.emit('ready')),
    }
    this.sink = openSink(placeOf(options), options, this.events)
    begun = true
    this.unguard = this.minLength > 0 ? this.guard() : () => {}
    if (options.periodicFlush) this.timer = this.flushPeriodically(options.periodicFlush)
  }

  /** The descriptor; -1 for a file without `sync: true`: it is written through a queue, and may be opened anew for any write. */
  get fd(): number {
    return this.sink.fd
  }

  /** The path of the file; null where it is a descriptor. */
  get file(): string | null {
    return this.sink.file
  }

  /** Whether `drain` is to be waited for. */
  get writableNeedDrain(): boolean {
    return this.wantsDrain
  }

  /** Takes a line. Returns whether it is good to go on; else `drain` tells when it is. */
  write(line: string | Uint8Array): boolean {
    return this.take(line, info)
  }

  /** The same for a line of a known severity: where a queue is full, the least severe ones give way. */
  writeRecord(line: string, severity: number): boolean {
    return this.take(line, severity)
  }

  private take(given: string | Uint8Array, severity: number): boolean {
    if (this.destroyed) throw new Error('the destination is closed')
    const line = typeof given === 'string' || given instanceof Uint8Array ? given : String(given)
    if (this.maxLength > 0 && this.held.length + this.sink.waiting + line.length > this.maxLength) {
      this.emit('drop', line)
    } else if (this.minLength === 0) {
      this.sink.write(line, severity)
    } else {
      this.held.add(line, severity)
      this.kept.destination = this
      if (this.held.length >= this.minLength) this.release()
    }
    const isGood = this.held.length + this.sink.waiting < highWater
    if (!isGood) this.drainLater()
    return isGood
  }

  /** Has everything written, held back or not, and calls back when it is, or cannot be. */
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
    this.release()
    void this.sink.flush().then(done)
  }

  /** The same without the event loop; for at most two seconds where nobody reads. */
  flushSync(): void {
    if (this.destroyed) throw new Error('the destination is closed')
    this.release()
    this.sink.flushSync()
  }

  /** Opens the file anew, or another one: for whoever renames it. */
  reopen(file?: string): void {
    if (this.destroyed) throw new Error('the destination is closed')
    if (this.ending) return
    this.release()
    this.sink.reopen(file)
  }

  /** Writes what waits, then closes. */
  end(): void {
    if (this.destroyed) throw new Error('the destination is closed')
    if (this.ending) return
    this.ending = true
    this.release()
    void this.close(true)
  }

  /** Closes. What waits is written nevertheless. */
  destroy(): void {
    if (this.destroyed) return
    this.release()
    void this.close(this.ending)
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

  /** Hands on what is held back. */
  private release(): void {
    this.kept.destination = undefined
    const released = this.held.takeAll()
    if (released !== undefined) this.sink.write(released.data, released.severity)
  }

  private drain(deadline: number): void {
    this.release()
    this.sink.flushSync(Math.max(0, deadline - monotonic()))
  }

  private guard(): () => void {
    const { kept } = this
    const unguard = guardExit({
      handleSignals: true,
      exitTimeoutMillis: 2_000,
      drain: (deadline) => kept.destination?.drain(deadline),
      afterExit: () => kept.destination?.release(),
    })
    whenDropped(this, unguard)
    return unguard
  }

  private flushPeriodically(millis: number): NodeJS.Timeout {
    const { kept } = this
    const timer = setInterval(() => kept.destination?.release(), millis)
    whenDropped(this, () => clearInterval(timer))
    return timer.unref()
  }

  private drainLater(): void {
    if (this.wantsDrain) return
    this.wantsDrain = true
    setImmediate(() => {
      this.release()
      void this.sink.flush().then(() => {
        this.wantsDrain = false
        this.emit('drain')
      })
    })
  }

  private failed(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: error.message })
  }
}

/** A destination: a descriptor, the path of a file, or options. Default: the standard output. */
export function destination(given?: number | string | DestinationOptions): Destination {
  return new Destination(typeof given === 'object' && given !== null ? given : { dest: given })
}
