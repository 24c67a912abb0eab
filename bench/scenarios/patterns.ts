import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

/** Strings that occur once, so that no result of an earlier search can be reused. */
const fresh: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes(`item ${i} was sent`, freshAttributes(i))
  },
  expected: (i) => ({ message: `item ${i} was sent`, attributes: freshAttributes(i) }),
}

function freshAttributes(i: number): object {
  return { seq: i, path: `/items/${i}/parts?page=${i % 7}`, id: `u-${i * 7_919}` }
}

const variant = (records: Payload, to: BurstVariant['to']): BurstVariant => ({
  ...records,
  to,
  records: 100_000,
  warmUp: 200_000,
  perTurn: Infinity,
  subjects: ['sluice-patterns', 'sluice'],
})

/** The cost of searching all strings for patterns. */
export const patterns: Scenario = {
  description:
    'All redaction patterns compared with none: a message and three attributes, with repeated and with new strings',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'memory'],
  compared: ['loop', 'drain', 'cpu'],
  ours: 'sluice-patterns',
  targets: [{ variants: ['null', 'file', 'new texts'], figures: ['loop'], rival: 'sluice', limit: 1.8 }],
  variants: { null: variant(payload, 'null'), file: variant(payload, 'file'), 'new texts': variant(fresh, 'null') },
}
