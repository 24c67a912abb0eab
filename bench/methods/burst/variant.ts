import type { Destination } from '../../run/destination.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { Log, LogSetup } from '../../subjects/subject.ts'

/** Records of one kind, logged at full speed. */
export interface BurstVariant extends Variant, Payload, Pick<Lines, 'records' | 'warmUp' | 'enabled'> {
  readonly to: Destination
  /** The number of records in one turn of the event loop. Infinity for a burst. */
  readonly perTurn: number
  /** The number of checked lines for a destination that keeps nothing. Fewer only if all lines have the same length. */
  readonly provenRecords?: number
  /** Logs the given number of records. */
  runEnabled?(log: Log, count: number): void
  /** The variants for a check of linear growth. This variant and those must have `size`. */
  readonly linearity?: LinearityCheck
}

/** The variants of a check of linear growth. */
export interface LinearityCheck {
  readonly middle: string
  /** The smallest size, whose cost is subtracted: then costs must grow with the size. Without it, costs must be constant. */
  readonly smallest?: string
}

/** The log calls. */
export interface Payload extends Pick<Lines, 'expected'> {
  readonly setup: LogSetup
  /** Logs the records from `from` to `to`. This loop is timed. */
  run(log: Log, from: number, to: number): void
}
