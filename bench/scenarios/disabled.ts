import { messages } from './payload.ts'
import type { Scenario } from './scenario.ts'

// Made before: the call is the question, not the object.
const attributes = { path: '/api/orders', status: 200 }

export const disabled: Scenario = {
  question: 'A call at a level that is not enabled',
  records: 10_000_000,
  warmUp: 2_000_000,
  perTurn: Infinity,
  setup: {},
  rivals: { null: ['pino-sync', 'empty'] },
  targets: [{ to: ['null'], nanos: 5 }],
  run(log, from, to) {
    for (let i = from; i < to; i++) log.disabled(messages[i % messages.length]!, attributes)
  },
}
