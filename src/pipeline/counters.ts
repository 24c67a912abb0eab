import { severityRange, standardLevels, type StandardLevel } from '../record/severity.ts'

/** Why a record that was accepted did not reach its destination. */
export type DropReason =
  | 'queue_full'
  | 'too_large'
  | 'io_error'
  | 'retry_exhausted'
  | 'rejected'
  | 'exit_deadline'
  | 'shutdown'
  | 'not_encoded'

/** Every drop reason, in the order in which the ledger prints them. */
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

/** What became of the accepted records: `accepted = written + queued + unknown + dropped.total`. All counts in records. */
export interface DeliveryStats {
  /** Taken by the destination. */
  readonly written: number
  /** Waiting, in flight, or sent and not yet acknowledged. */
  readonly queued: number
  /** The bytes that wait in the destination's queue, those in flight included. */
  readonly queuedBytes: number
  /** Sent without an answer: may have arrived. */
  readonly unknown: number
  /** Of those accepted, the ones that were cut to `limits.recordBytes`. */
  readonly truncated: number
  /** Lost, and why. */
  readonly dropped: {
    readonly total: number
    readonly byReason: Readonly<Record<DropReason, number>>
    readonly byLevel: Readonly<Record<StandardLevel, number>>
  }
}

/**
 * The running counts of one exporter of one logger. The hot path only increments numbers here: no call is needed to
 * count a record whose encoding ended in an exhausted stack.
 */
export class Counters {
  emitted = 0
  filtered = 0
  accepted = 0
  written = 0
  /** Of these, or of the unknown ones, how many may have arrived twice. */
  maybeDuplicated = 0
  unknown = 0
  /** Of the accepted ones, those that were cut. */
  truncated = 0
  queued = 0
  droppedTotal = 0
  readonly droppedByReason: Float64Array = new Float64Array(dropReasons.length)
  /** Of these, the ones that the exporter had. */
  readonly notTakenByReason: Float64Array = new Float64Array(dropReasons.length)
  /** Of the filtered ones, those that came to a logger which is not enabled. */
  disabled = 0
  readonly droppedByLevel: Float64Array = new Float64Array(standardLevels.length)
  lastProblem: string | undefined
  /** Its logger was shut down: what still comes is lost. */
  closed = false

  /** Counts one accepted record as lost. */
  drop(reason: DropReason, severity: number): void {
    this.droppedTotal++
    this.droppedByReason[dropReasons.indexOf(reason)]!++
    this.droppedByLevel[severityRange(severity)]!++
  }

  /** The counts as users read them. */
  stats(queuedBytes: number): DeliveryStats {
    return {
      written: this.written,
      queued: this.queued,
      queuedBytes,
      unknown: this.unknown,
      truncated: this.truncated,
      dropped: {
        total: this.droppedTotal,
        byReason: record(dropReasons, this.droppedByReason),
        byLevel: record(standardLevels, this.droppedByLevel),
      },
    }
  }
}

function record<K extends string>(names: readonly K[], counts: Float64Array): Record<K, number> {
  return Object.fromEntries(names.map((name, index) => [name, counts[index]!])) as Record<K, number>
}
