import type { Counters } from '../pipeline/counters.ts'
import { BoundState } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import type { RecordOrigin } from './handler.ts'
import type { RecordHandler } from './record-handler.ts'

/** Where the records of a logger go after the user's handler. */
export interface HandlerTarget {
  readonly next: RecordHandler
  /** Where records are written, if those of `next` may be held by the flight recorder instead. */
  readonly written: RecordHandler | undefined
  /** The counters of all exporters of the logger, in which records that the user's handler drops count as filtered. */
  readonly allCounters: readonly Counters[]
}

/** What a new record gets from the record that it is about. */
interface OriginParts {
  readonly target: HandlerTarget
  readonly bound: BoundState
  readonly level: string
  readonly severity: number
}

/** The logger and the level of a record. A user's handler sees only the logger's name. */
export class CallOrigin implements RecordOrigin {
  readonly loggerName: string | undefined
  readonly #parts: OriginParts

  constructor(parts: OriginParts) {
    this.loggerName = parts.bound.scope.name
    this.#parts = parts
  }

  /** Returns the origin of a record. It does not reference the attributes of a child logger, such as those of a request. */
  static of({ level, severity, bound }: LogRecord, target: HandlerTarget, rootBound: BoundState): CallOrigin {
    const { names, values, origin } = rootBound
    const { scope } = bound.origin
    const ownBound = scope === origin.scope ? rootBound : new BoundState({ ...origin, scope }, undefined, names, values)
    return new CallOrigin({ target, bound: ownBound, level, severity })
  }

  static partsOf(origin: CallOrigin): OriginParts {
    return origin.#parts
  }
}

/** Returns a target with other handlers. */
export function changedTarget(
  { next, written, allCounters }: HandlerTarget,
  change: (handler: RecordHandler) => RecordHandler,
): HandlerTarget {
  return { next: change(next), written: written && change(written), allCounters }
}

/** Returns the target of a record that is emitted. With a level of its own, it is not held although the record of its origin is. */
export function emitTarget(record: LogRecord, origin: CallOrigin): HandlerTarget {
  const { target, severity } = CallOrigin.partsOf(origin)
  if (target.written === undefined || record.severity === severity) return target
  return { next: target.written, written: undefined, allCounters: target.allCounters }
}
