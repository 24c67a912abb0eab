import type { Destination } from '../../run/destination.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { Payload } from '../burst/variant.ts'

/** Records of one kind at a steady rate. */
export interface PacedVariant extends Variant, Payload, Pick<Lines, 'records' | 'warmUp'> {
  readonly to: Destination
  readonly perSecond: number
  /** How long the reader of the pipe sleeps after a third of the timed records, in ms. */
  readonly stallMillis?: number
}
