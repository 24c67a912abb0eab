import type { Destination } from '../../run/destination.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { Log, LogSetup } from '../../subjects/subject.ts'

/** Records of one kind, as fast as they can be logged. */
export interface BurstVariant extends Variant, Payload, Pick<Lines, 'records' | 'warmUp' | 'enabled'> {
  readonly to: Destination
  /** How many are logged in one turn of the event loop; Infinity for a burst. */
  readonly perTurn: number
  /** How many lines are proven for a destination that keeps nothing: fewer only where all lines are of one length. */
  readonly proven?: number
  /** Logs so many of the `enabled` records. */
  runEnabled?(log: Log, count: number): void
  /** Whether the cost has grown in a straight line up to here; needs an `at`, as the variants it names do. */
  readonly line?: Line
}

/** The variants that a straight line is laid through. */
export interface Line {
  readonly middle: string
  /** The smallest: then what each call costs above it has to grow with the size. Without it, a call has to stay as it is. */
  readonly smallest?: string
}

/** What is logged. */
export interface Payload extends Pick<Lines, 'expected'> {
  readonly setup: LogSetup
  /** Logs the records from `from` up to `to`. This loop is timed. */
  run(log: Log, from: number, to: number): void
}
