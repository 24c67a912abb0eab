import type { Destination } from '../../run/outlet.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { Log, LogSetup } from '../../subjects/subject.ts'

/** Records of one kind, as fast as they can be logged. */
export interface BurstVariant extends Variant, Payload, Pick<Lines, 'records' | 'warmUp'> {
  readonly to: Destination
  /** How many are logged in one turn of the event loop; Infinity for a burst. */
  readonly perTurn: number
}

/** What is logged. */
export interface Payload extends Pick<Lines, 'expected'> {
  readonly setup: LogSetup
  /** Logs the records from `from` up to `to`. This loop is timed. */
  run(log: Log, from: number, to: number): void
}
