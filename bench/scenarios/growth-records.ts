import type { Payload } from '../methods/burst/variant.ts'
import { growth } from './growth.ts'
import { messages } from './payload.ts'

const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.text(messages[i % messages.length]!)
  },
  expected: (i) => ({ message: messages[i % messages.length]!, attributes: {} }),
}

export const growthRecords = growth({
  description: 'The cost of a record by the number of records in a burst, which should be constant',
  sizeName: 'records in a burst',
  sizes: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
  sluiceOnly: [10_000_000],
  checkedSizes: [1_000_000, 10_000_000],
  middleSize: 100_000,
  isProportional: false,
  variantOf: (records) => ({ ...payload, records, warmUp: 200_000, provenRecords: 100_000 }),
})
