import { EventEmitter } from 'node:events'
import { statSync } from 'node:fs'
import { withLogLocation } from '../../exporters/file/log-path.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { whenCollected } from '../../lifecycle/dropped-loggers.ts'
import { Destination } from '../shared/destination/destination.ts'
import { createHookFailureReporter } from '../shared/hook-failures.ts'
import { nextRotationTime, parsePeriod, startOfCurrentPeriod } from './period.ts'
import { shiftFiles } from './shift-files.ts'

const { reportDiagnostic } = createHookFailureReporter(undefined, 'SLUICE_ROTATION_FAILED')

/** Options of a rotating file. */
export interface RotatingFileStreamOptions {
  /** Path of the current file. Old files are `path.0`, `path.1`, and so on. */
  readonly path: string
  /**
   * Rotation period: a number with `h`, `d`, `w`, `m` or `y`, such as `1d`, or hourly, daily, weekly, monthly or yearly.
   *
   * @defaultValue `1d`
   */
  readonly period?: string | undefined
  /**
   * Number of old files that are kept.
   *
   * @defaultValue 10
   */
  readonly count?: number | undefined
}

/** The longest delay that `setTimeout` accepts: about 24 days. */
const maxTimerMillis = 2 ** 31 - 1
const defaultCount = 10

/** Writes lines to a file and rotates it periodically, in UTC. Failures are emitted as `error` events, or reported without a listener. */
export class RotatingFileStream extends EventEmitter {
  /** Path of the current file. */
  readonly path: string
  /** Number of old files that are kept. */
  readonly count: number
  private readonly destination: Destination
  private readonly period
  /** In milliseconds since the epoch; undefined before the first rotation is scheduled. */
  private nextRotationAt: number | undefined
  /** Held in an object, so that it can be cleared after the stream was garbage collected. */
  private readonly timer: { current: NodeJS.Timeout | undefined } = { current: undefined }

  constructor(options: RotatingFileStreamOptions) {
    super()
    const { path, period = '1d', count = defaultCount } = withoutPrototype(options)
    const parsedPeriod = parsePeriod(period)
    if (parsedPeriod === undefined) throw new Error(`invalid period: "${period}"`)
    this.path = path
    this.count = count
    this.period = parsedPeriod
    const isFromEarlierPeriod = isModifiedBefore(path, startOfCurrentPeriod(parsedPeriod, Date.now()))
    this.destination = new Destination({ dest: path })
    this.destination.on('error', (error) => this.handleError(error))
    clearWhenDropped(this, this.timer)
    if (isFromEarlierPeriod) this.rotate()
    else this.scheduleRotation()
  }

  /**
   * Writes a line.
   *
   * @returns false if the caller should wait for `drain` before writing more
   */
  write(line: string): boolean {
    return this.destination.write(line)
  }

  /** Writes a line with its severity. */
  writeRecord(line: string, severity: number): boolean {
    return this.destination.writeRecord(line, severity)
  }

  /** Rotates the file, and begins a new one. If that fails, the error is emitted, and lines are still written to the same file. */
  rotate(): void {
    clearTimeout(this.timer.current)
    this.destination.flushSync()
    try {
      withLogLocation(this.path, { mkdir: false }, (location) => shiftFiles(location, this.count))
    } catch (error) {
      this.handleError(error as Error)
    }
    this.destination.reopen()
    // As in bunyan: the queue is empty now, so callers that wait for `drain` can continue.
    this.emit('drain')
    this.scheduleRotation()
  }

  /** Emits an error, or reports it if there is no listener: an unhandled `error` event would end the process. */
  private handleError(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_ROTATION_FAILED', message: `a rotating file failed: ${error.message}` })
  }

  /** Writes everything that is queued, then calls back. */
  flush(callback?: (error?: Error) => void): void {
    this.destination.flush(callback)
  }

  /** Writes everything that is queued, then closes. */
  end(): void {
    clearTimeout(this.timer.current)
    this.destination.end()
  }

  /** Closes after everything that is queued has been written. */
  destroy(): void {
    clearTimeout(this.timer.current)
    this.destination.destroy()
  }

  /** Same as `destroy()`. */
  destroySoon(): void {
    this.destroy()
  }

  private scheduleRotation(): void {
    this.nextRotationAt = nextRotationTime(this.period, Date.now(), this.nextRotationAt)
    this.startTimer()
  }

  private startTimer(): void {
    const remaining = this.nextRotationAt! - Date.now()
    // A strong reference would keep the stream from being garbage collected.
    const weakThis = new WeakRef(this)
    this.timer.current = setTimeout(() => weakThis.deref()?.handleTimer(), Math.min(remaining, maxTimerMillis)).unref()
  }

  private handleTimer(): void {
    if (this.nextRotationAt! > Date.now()) this.startTimer()
    else this.rotate()
  }
}

/** Clears the timer when the stream is garbage collected. A closure in the constructor would keep the stream alive. */
function clearWhenDropped(stream: object, timer: { readonly current: NodeJS.Timeout | undefined }): void {
  whenCollected(stream, () => clearTimeout(timer.current))
}

function isModifiedBefore(path: string, time: number): boolean {
  try {
    return statSync(path).mtimeMs < time
  } catch {
    return false // the file does not exist yet
  }
}
