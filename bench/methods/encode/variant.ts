import type { Variant } from '../../scenarios/scenario.ts'
import type { LogSetup } from '../../subjects/subject.ts'
import type { Payload } from '../burst/variant.ts'

/** Records of one kind, encoded to requests at full speed. */
export interface EncodeVariant extends Variant, Omit<Payload, 'setup'> {
  readonly setup: LogSetup & Required<Pick<LogSetup, 'otlp'>>
  readonly records: number
  readonly warmUp: number
}
