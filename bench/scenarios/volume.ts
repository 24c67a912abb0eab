import type { BurstVariant } from '../methods/burst/variant.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

const calls: Omit<BurstVariant, 'subjects' | 'expected'> = {
  setup: payload.setup,
  run: payload.run,
  to: 'null',
  records: 100_000,
  warmUp: 200_000,
  perTurn: Infinity,
}

/** `part-discard` is the same call without a handler, which discards the text. */
export const volume: Scenario = {
  description: 'A message and three attributes that a handler suppresses',
  method: 'burst',
  figures: ['loop', 'cpu', 'memory'],
  compared: ['loop'],
  ours: 'sluice-limit',
  targets: [{ variants: ['suppressed'], figures: ['loop'], limit: 150 }],
  variants: { suppressed: { ...calls, subjects: ['sluice-limit', 'sluice-dedupe', 'sluice-budget', 'part-discard'] } },
}
