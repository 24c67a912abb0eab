import type { Destination } from '../../run/destination.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { Payload } from '../burst/variant.ts'

/** A burst in a cold process, which has not allocated the memory for a burst yet. */
export interface MemoryVariant extends Variant, Payload, Pick<Lines, 'records' | 'warmUp'> {
  readonly to: Destination
}
