import type { BurstVariant } from '../methods/burst/variant.ts'
import { paths } from './payload.ts'
import type { Scenario } from './scenario.ts'

const attributesOf = (i: number) => ({ seq: i, path: paths[i % paths.length], status: 200 })

const burst: Omit<BurstVariant, 'subjects'> = {
  to: 'null',
  records: 300_000,
  warmUp: 100_000,
  perTurn: 100,
  setup: { bound: { tenant: 'acme' } },
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('request served', attributesOf(i))
  },
}

/** Compares records that are written, without and with a flight recorder, with records that the recorder holds and discards. */
export const recorder: Scenario = {
  description: 'The cost of the flight recorder: a message and three attributes',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'memory'],
  compared: ['loop', 'cpu'],
  targets: [],
  variants: {
    written: {
      ...burst,
      subjects: ['sluice', 'sluice-written'],
      expected: (i) => ({
        message: 'request served',
        attributes: { tenant: 'acme', ...attributesOf(i) },
      }),
    },
    held: { ...burst, subjects: ['sluice-held'] },
  },
}
