import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

const variant = (to: Destination): BurstVariant => ({
  ...payload,
  to,
  records: 100_000,
  warmUp: 200_000,
  perTurn: Infinity,
  subjects: ['sluice-provider', 'sdk-logs'],
})

/** The cost for instrumentations and other users of the OpenTelemetry API. */
export const provider: Scenario = {
  description: 'A message and three attributes through the OpenTelemetry API',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory'],
  compared: ['loop', 'drain', 'cpu'],
  ours: 'sluice-provider',
  targets: [
    { variants: ['null', 'file'], figures: ['loop'], rival: 'sdk-logs', limit: 0.6 },
    { variants: ['null', 'file'], figures: ['drain'], rival: 'sdk-logs', limit: 0.4 },
  ],
  variants: { null: variant('null'), file: variant('file') },
}
