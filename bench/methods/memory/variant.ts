import type { Destination } from '../../run/destination.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { Payload } from '../burst/variant.ts'

/** A burst in a process that is cold: what a first burst takes from the system is not there yet. */
export interface MemoryVariant extends Variant, Payload, Pick<Lines, 'records' | 'warmUp'> {
  readonly to: Destination
}
