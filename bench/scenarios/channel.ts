import type { BurstVariant } from '../methods/burst/variant.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

const toNull: BurstVariant = {
  ...payload,
  records: 100_000,
  warmUp: 200_000,
  to: 'null',
  perTurn: Infinity,
  subjects: ['sluice', 'sluice-channel'],
}

export const channel: Scenario = {
  description: 'A message and three attributes, without and with a subscriber of the diagnostics channel',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'bytes'],
  compared: ['loop', 'drain', 'cpu'],
  targets: [],
  variants: { null: toNull },
}
