import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

/** A handler logs some lines, and waits for somebody: by then they are written. The loop is what it logs, the drain all. */
const calls = (to: Destination): BurstVariant => ({
  ...payload,
  to,
  records: 50_000,
  warmUp: 50_000,
  perTurn: 5,
  subjects: ['sluice-lambda', 'sluice-default', 'pino-sync'],
})

export const lambda: Scenario = {
  question: 'The profile lambda beside service: a message and three attributes, five records before each wait',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'bytes', 'writes'],
  compared: ['loop', 'drain', 'cpu'],
  ours: 'sluice-lambda',
  targets: [],
  variants: { null: calls('null'), file: calls('file'), pipe: calls('pipe') },
}
