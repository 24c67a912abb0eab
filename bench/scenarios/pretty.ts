import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

function variant(to: Destination): BurstVariant {
  return {
    ...payload,
    records: 50_000,
    warmUp: 50_000,
    to,
    perTurn: 50,
    subjects: ['sluice-pretty', 'pino-pretty'],
  }
}

export const pretty: Scenario = {
  description: 'A message and three attributes as a human-readable line',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'drain', 'cpu', 'bytes'],
  compared: ['loop', 'drain', 'cpu'],
  ours: 'sluice-pretty',
  targets: [{ variants: ['null', 'file'], figures: ['loop'], rival: 'pino-pretty', limit: 0.5 }],
  variants: { null: variant('null'), file: variant('file') },
}
