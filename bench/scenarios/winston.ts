import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Destination } from '../run/outlet.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

const variant = (to: Destination): BurstVariant => ({
  ...payload,
  to,
  records: 100_000,
  warmUp: 200_000,
  perTurn: Infinity,
  subjects: ['sluice-winston', 'winston'],
})

/** What changing the import of a program that logs by winston changes. */
export const winston: Scenario = {
  question: 'Through the API of winston: a message and three attributes',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'bytes', 'writes', 'memory'],
  compared: ['loop', 'drain', 'cpu'],
  ours: 'sluice-winston',
  targets: [{ variants: ['file', 'pipe'], figures: ['loop', 'drain'], rival: 'winston', limit: 1 }],
  variants: { file: variant('file'), pipe: variant('pipe') },
}
