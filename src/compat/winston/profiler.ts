import { member, withoutPrototype } from '../../options/own-members.ts'
import { copyContent } from './safe-info.ts'

/** Receives the measured durations of timers. */
export interface InfoWriter {
  /** Logs `{ level, message, … }`. Returns whether more can be written. */
  write(info: object): boolean
}

/** A running timer. */
export class Profiler {
  private readonly logger: InfoWriter
  private readonly start = Date.now()

  constructor(logger: InfoWriter) {
    this.logger = logger
  }

  /** Logs the elapsed time in milliseconds as `durationMs`, with the members of `info`. If these do not include a `level`, it is "info". */
  done(info?: object): boolean {
    return this.logger.write(withDuration(info, Date.now() - this.start))
  }
}

/** Running timers by name. */
export class Timers {
  private readonly startTimes = new Map<unknown, number>()

  /** Starts a timer, or stops the one that was started under this name and logs its elapsed time. */
  toggle(logger: InfoWriter, id: unknown, meta: object | undefined): void {
    const now = Date.now()
    const start = this.startTimes.get(id)
    if (start === undefined) return void this.startTimes.set(id, now)
    this.startTimes.delete(id)
    const info = withDuration(meta, now - start)
    logger.write({ ...info, message: member(info, 'message') || id })
  }
}

/** Copies an object and adds the duration, so that the caller's object is not changed. */
function withDuration(meta: object | undefined, durationMs: number): Record<string, unknown> {
  const info: Record<string, unknown> = withoutPrototype({})
  copyContent(info, meta)
  return { ...info, level: info['level'] || 'info', durationMs }
}
