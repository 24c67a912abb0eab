import { severityRange, standardLevels, type StandardLevel } from '../record/severity.ts'

/** The reason why an accepted record did not reach its destination. */
export type DropReason =
  | 'queue_full'
  | 'too_large'
  | 'io_error'
  | 'retry_exhausted'
  | 'rejected'
  | 'exit_deadline'
  | 'shutdown'
  | 'not_encoded'

/** All drop reasons, in the order of the delivery statistics. */
export const dropReasons: readonly DropReason[] = [
  'queue_full',
  'too_large',
  'io_error',
  'retry_exhausted',
  'rejected',
  'exit_deadline',
  'shutdown',
  'not_encoded',
]

/**
 * The index of `not_encoded` in `Counters.droppedByReason`, for code that cannot call `Counters.drop` because the stack may be
 * exhausted.
 */
export const notEncodedIndex: number = dropReasons.indexOf('not_encoded')

/**
 * Delivery statistics. Each accepted record counts in one of `written`, `queued`, `unknown` and `dropped.total`. Counts are in
 * records.
 */
export interface DeliveryStats {
  /** Accepted by the destination. */
  readonly written: number
  /** Queued, in flight, or sent and not yet acknowledged. */
  readonly queued: number
  /** The size of the destination's queue in bytes, including records in flight. */
  readonly queuedBytes: number
  /** Sent without a response, so they may have arrived. */
  readonly unknown: number
  /** Accepted records that were truncated to `limits.recordBytes`. */
  readonly truncated: number
  /** Lost records, by reason and by level. */
  readonly dropped: {
    readonly total: number
    readonly byReason: Readonly<Record<DropReason, number>>
    readonly byLevel: Readonly<Record<StandardLevel, number>>
  }
}

/**
 * The delivery counters of one exporter of one logger. The hot path only increments numbers here, so that a record whose encoding
 * exhausted the stack can be counted without a call.
 */
export class Counters {
  /** Records that the logger emitted, including those in `filtered` and `recorded`. */
  emitted = 0
  /** Emitted records that are below the exporter's level, were filtered out by a handler, or are of a logger that is not enabled. */
  filtered = 0
  /** Emitted records that were not filtered and are not held: they are written, queued, unknown or dropped. */
  accepted = 0
  /** Emitted records that the flight recorder holds now. Later, each of them counts in `accepted` or `filtered` instead. */
  recorded = 0
  /** Held records that the flight recorder has released to the queue. */
  released = 0
  /** Held records that the flight recorder has discarded. They count in `filtered`. */
  expired = 0
  written = 0
  /** Written or unknown records that may have arrived twice. */
  maybeDuplicated = 0
  unknown = 0
  /** Accepted records that were truncated. */
  truncated = 0
  queued = 0
  droppedTotal = 0
  readonly droppedByReason: Float64Array = new Float64Array(dropReasons.length)
  /** Dropped records that had been handed to the exporter, by reason. */
  readonly failedByReason: Float64Array = new Float64Array(dropReasons.length)
  /** Filtered records of loggers that are not enabled. */
  disabled = 0
  readonly droppedByLevel: Float64Array = new Float64Array(standardLevels.length)
  lastDiagnostic: string | undefined
  /** Whether the logger was shut down. Records logged later are dropped. */
  isClosed = false

  /** Counts one accepted record as dropped. */
  drop(reason: DropReason, severity: number): void {
    this.droppedTotal++
    this.droppedByReason[dropReasons.indexOf(reason)]!++
    this.droppedByLevel[severityRange(severity)]!++
  }

  /** Returns the counts in the form of the public statistics. */
  stats(queuedBytes: number): DeliveryStats {
    return {
      written: this.written,
      queued: this.queued,
      queuedBytes,
      unknown: this.unknown,
      truncated: this.truncated,
      dropped: {
        total: this.droppedTotal,
        byReason: toRecord(dropReasons, this.droppedByReason),
        byLevel: toRecord(standardLevels, this.droppedByLevel),
      },
    }
  }
}

/** Returns an object with a count for each name. */
function toRecord<K extends string>(names: readonly K[], counts: Float64Array): Record<K, number> {
  return Object.fromEntries(names.map((name, index) => [name, counts[index]!])) as Record<K, number>
}
