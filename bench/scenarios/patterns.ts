import type { BurstVariant, Payload } from '../methods/burst/variant.ts'
import { payload } from './object.ts'
import type { Scenario } from './scenario.ts'

/** Texts that nobody has seen before: nothing is known of them. */
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

const variant = (asked: Payload, to: BurstVariant['to']): BurstVariant => ({
  ...asked,
  to,
  records: 100_000,
  warmUp: 200_000,
  perTurn: Infinity,
  subjects: ['sluice-patterns', 'sluice'],
})

/** What it costs to look into every text. */
export const patterns: Scenario = {
  question: 'All patterns on against off: a message and three attributes, of texts that come again and of new ones',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'memory'],
  compared: ['loop', 'drain', 'cpu'],
  ours: 'sluice-patterns',
  targets: [{ variants: ['null', 'file', 'new texts'], figures: ['loop'], rival: 'sluice', limit: 1.8 }],
  variants: { null: variant(payload, 'null'), file: variant(payload, 'file'), 'new texts': variant(fresh, 'null') },
}
