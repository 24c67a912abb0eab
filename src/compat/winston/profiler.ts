import { member, ownCopy } from '../../options/own-members.ts'
import { assignRead } from './safe-info.ts'

/** What measured times are written to. */
export interface InfoWriter {
  /** Logs `{ level, message, … }`. Returns whether it is good to go on. */
  write(info: object): boolean
}

/** A time that is being measured. */
export class Profiler {
  private readonly logger: InfoWriter
  private readonly start = Date.now()

  constructor(logger: InfoWriter) {
    this.logger = logger
  }

  /** Logs how long it took as `durationMs`: what is given with it, at level `info` unless it has one. */
  done(info?: object): boolean {
    return this.logger.write(timed(info, Date.now() - this.start))
  }
}

/** The times that are measured by name. */
export class Timers {
  private readonly begun = new Map<unknown, number>()

  /** Begins a time, or logs the one that was begun under this name. */
  toggle(logger: InfoWriter, id: unknown, meta: object | undefined): void {
    const now = Date.now()
    const start = this.begun.get(id)
    if (start === undefined) return void this.begun.set(id, now)
    this.begun.delete(id)
    const info = timed(meta, now - start)
    logger.write({ ...info, message: member(info, 'message') || id })
  }
}

/** The caller's object stays as it is. */
function timed(meta: object | undefined, durationMs: number): Record<string, unknown> {
  const info: Record<string, unknown> = ownCopy({})
  assignRead(info, meta)
  return { ...info, level: info['level'] || 'info', durationMs }
}
