import { writeStderrLine } from '../../exporters/stderr.ts'
import type { Instance } from './instance.ts'
import { nameFromLevel } from './levels.ts'
import { minimalRecord, makeRecord } from './record.ts'

/** A log method of one level. Without arguments, it returns whether the level is enabled; otherwise it logs a record. */
export interface LogMethod {
  /** Returns whether any stream accepts records of this level. */
  (): boolean
  /** Logs an Error as the field `err`, with its message or with the message that follows it. */
  (error: Error, ...params: unknown[]): void
  /** Logs fields, optionally followed by a format string and its arguments. */
  (fields: object, ...params: unknown[]): void
  /** Logs a message: a format string and its arguments. */
  (format: unknown, ...params: unknown[]): void
}

/** Creates the log method of a level. It never throws. Without a logger as `this`, it logs nothing and reports that once. */
export function createLogMethod(level: number): LogMethod {
  const method = function (this: Instance | undefined, ...args: unknown[]): boolean | void {
    if (this === undefined || typeof this?._emit !== 'function') return reportUnbound()
    if (args.length === 0) return this._level <= level
    if (this._level > level) return undefined
    try {
      const { record, attributes } = makeRecord(this, level, args, method)
      this._emit(record, false, level)
      if (attributes !== undefined) {
        this.parts.recordEmitter!.emit(
          nameFromLevel[level]!,
          { ...this.attributes(), ...attributes },
          record.msg || undefined,
        )
      }
    } catch (error) {
      // The stack overflowed, for example.
      this._emit(minimalRecord(level, this.parts.hookFailures.reportThrow('a log call', error)), false, level)
    }
    return undefined
  }
  return method as LogMethod
}

let isUnboundReported = false

function reportUnbound(): void {
  if (isUnboundReported) return
  isUnboundReported = true
  const message =
    'a log method was called without its logger, so nothing is logged: call log.info(), or bind the method'
  writeStderrLine(`sluice: SLUICE_BUNYAN_UNBOUND: ${message}\n`, 'warn')
}
