import type { BurstVariant } from '../methods/burst/variant.ts'
import type { Destination } from '../run/destination.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

function inAll(to: Destination): BurstVariant {
  return {
    ...payload,
    records: 100_000,
    warmUp: 200_000,
    to,
    perTurn: Infinity,
    subjects: ['sluice', 'sluice-otel', 'sluice-pino', 'sluice-gcp', 'sluice-ecs', 'sluice-datadog'],
  }
}

export const layouts: Scenario = {
  description: 'A message and three attributes in each layout',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'bytes'],
  compared: ['loop', 'drain', 'cpu'],
  targets: [],
  variants: { null: inAll('null'), file: inAll('file') },
}
