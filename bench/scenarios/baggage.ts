import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Scenario } from './scenario.ts'
import { spanPayload } from './span.ts'

const toNull: BurstVariant = {
  ...spanPayload,
  setup: { ...spanPayload.setup, baggage: { tenant: 'acme', 'user.id': '7', other: 'x' } },
  records: 100_000,
  warmUp: 200_000,
  to: 'null',
  perTurn: Infinity,
  subjects: ['sluice', 'sluice-baggage'],
}

export const baggage: Scenario = {
  description: 'A message and three attributes inside an active span with baggage, without and with two of its entries',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'bytes'],
  compared: ['loop', 'drain', 'cpu'],
  targets: [],
  variants: { null: toNull },
}
