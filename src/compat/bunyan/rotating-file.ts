import { EventEmitter } from 'node:events'
import { statSync } from 'node:fs'
import { atLogPath } from '../../exporters/file/log-path.ts'
import { ownCopy } from '../../options/own-members.ts'
import { whenDropped } from '../../lifecycle/dropped-loggers.ts'
import { Destination } from '../shared/destination/destination.ts'
import { hookFailureReporter } from '../shared/hook-failures.ts'
import { nextRotation, parsePeriod, periodStart } from './period.ts'
import { shiftFiles } from './shift-files.ts'

const { reportDiagnostic } = hookFailureReporter(undefined, 'SLUICE_ROTATION_FAILED')

/** A file that is put aside at times. */
export interface RotatingFileStreamOptions {
  /** The file that is written. Put aside it is `path.0`, then `path.1`, and so on. */
  readonly path: string
  /** `1h`, `1d`, `1w`, `1m`, `1y`, or any number of these; hourly, daily, weekly, monthly, yearly. Default `1d`. */
  readonly period?: string | undefined
  /** How many files are kept beside it. Default 10. */
  readonly count?: number | undefined
}

const longestTimer = 2 ** 31 - 1
const defaultCount = 10

/** Writes lines to a file and puts it aside at times, by UTC. Its errors are events `error`. */
export class RotatingFileStream extends EventEmitter {
  /** The file that is written. */
  readonly path: string
  /** How many files are kept beside it. */
  readonly count: number
  private readonly to: Destination
  private readonly period
  private at: number | undefined
  /** What outlives a dropped stream. */
  private readonly timer: { current: NodeJS.Timeout | undefined } = { current: undefined }

  constructor(options: RotatingFileStreamOptions) {
    super()
    const { path, period = '1d', count = defaultCount } = ownCopy(options)
    const parsed = parsePeriod(period)
    if (parsed === undefined) throw new Error(`invalid period: "${period}"`)
    this.path = path
    this.count = count
    this.period = parsed
    const isOld = changedBefore(path, periodStart(parsed, Date.now()))
    this.to = new Destination({ dest: path })
    this.to.on('error', (error) => this.failed(error))
    clearWhenDropped(this, this.timer)
    if (isOld) this.rotate()
    else this.wait()
  }

  /** Takes a line. Returns whether it is good to go on. */
  write(line: string): boolean {
    return this.to.write(line)
  }

  /** The same for a line of a known severity. */
  writeRecord(line: string, severity: number): boolean {
    return this.to.writeRecord(line, severity)
  }

  /** Puts the file aside, and begins a new one. */
  rotate(): void {
    clearTimeout(this.timer.current)
    this.to.flushSync()
    try {
      atLogPath(this.path, false, (place) => shiftFiles(place, this.count))
    } catch (error) {
      this.failed(error as Error)
    }
    this.to.reopen()
    this.emit('drain')
    this.wait()
  }

  /** An error that nobody listens to would end the process. */
  private failed(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else reportDiagnostic({ code: 'SLUICE_ROTATION_FAILED', message: `a rotating file failed: ${error.message}` })
  }

  /** Has everything written. */
  flush(callback?: (error?: Error) => void): void {
    this.to.flush(callback)
  }

  /** Writes what waits, then closes. */
  end(): void {
    clearTimeout(this.timer.current)
    this.to.end()
  }

  /** The same. */
  destroy(): void {
    clearTimeout(this.timer.current)
    this.to.destroy()
  }

  /** The same. */
  destroySoon(): void {
    this.destroy()
  }

  private wait(): void {
    this.at = nextRotation(this.period, Date.now(), this.at)
    this.sleep()
  }

  private sleep(): void {
    const left = this.at! - Date.now()
    // Timers are no longer than 24 days.
    // A timer that held the stream would keep it from being garbage collected.
    const held = new WeakRef(this)
    this.timer.current = setTimeout(() => held.deref()?.wake(), Math.min(left, longestTimer)).unref()
  }

  private wake(): void {
    if (this.at! > Date.now()) this.sleep()
    else this.rotate()
  }
}

/** A function of its own: a closure of the constructor would hold the stream. */
function clearWhenDropped(stream: object, timer: { readonly current: NodeJS.Timeout | undefined }): void {
  whenDropped(stream, () => clearTimeout(timer.current))
}

function changedBefore(path: string, time: number): boolean {
  try {
    return statSync(path).mtimeMs < time
  } catch {
    return false // it is not there yet
  }
}
