import type { Variant } from '../../scenarios/scenario.ts'
import type { LogSetup } from '../../subjects/subject.ts'
import type { Payload } from '../burst/variant.ts'

/** Records of one kind, as fast as they can be made requests of. */
export interface EncodeVariant extends Variant, Omit<Payload, 'setup'> {
  readonly setup: LogSetup & Required<Pick<LogSetup, 'otlp'>>
  readonly records: number
  readonly warmUp: number
}
