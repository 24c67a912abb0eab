import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

/** A handler that logs five records and then awaits something. `loop` is the time of the calls, `drain` the total time. */
const calls = (to: Destination): BurstVariant => ({
  ...payload,
  to,
  records: 50_000,
  warmUp: 50_000,
  perTurn: 5,
  subjects: ['sluice-lambda', 'sluice-default', 'pino-sync'],
})

export const lambda: Scenario = {
  description: 'The profiles lambda and service: a message and three attributes, five records before each await',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'bytes', 'writes'],
  compared: ['loop', 'drain', 'cpu'],
  ours: 'sluice-lambda',
  targets: [],
  variants: { null: calls('null'), file: calls('file'), pipe: calls('pipe') },
}
