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
  question: 'A record of a burst costs the same, however many there are',
  across: 'records in a burst',
  sizes: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
  alone: [10_000_000],
  ends: [1_000_000, 10_000_000],
  middle: 100_000,
  rises: false,
  at: (records) => ({ ...payload, records, warmUp: 200_000, proven: 100_000 }),
})
