import type { BurstVariant } from '../methods/burst/variant.ts'
import { messages } from './payload.ts'
import type { Scenario } from './scenario.ts'

// Made before: the call is the question, not the object.
const attributes = { path: '/api/orders', status: 200 }

const call: BurstVariant = {
  to: 'null',
  subjects: ['sluice', 'pino-sync', 'empty'],
  more: ['bunyan', 'bole', 'tslog', 'logtape', 'sdk-logs'],
  records: 10_000_000,
  warmUp: 2_000_000,
  // A program that never logs is no program, and a disabled method shares its compiled code with enabled ones.
  enabled: 100_000,
  perTurn: Infinity,
  setup: {},
  runEnabled(log, count) {
    for (let i = 0; i < count; i++) log.attributes(messages[i % messages.length]!, attributes)
  },
  run(log, from, to) {
    for (let i = from; i < to; i++) log.disabled!(messages[i % messages.length]!, attributes)
  },
}

/** For those who take microseconds to find out. */
const fewer: BurstVariant = {
  ...call,
  subjects: ['sluice', 'winston'],
  more: [],
  records: 200_000,
  warmUp: 50_000,
}

export const disabled: Scenario = {
  question: 'A call at a level that is not enabled, in a program that has logged 100,000 records',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'loopAbove'],
  compared: ['loop'],
  above: { figure: 'loopAbove', of: 'loop', over: 'empty' },
  targets: [{ variants: ['null'], figures: ['loopAbove'], limit: 3 }],
  variants: { null: call, fewer },
}
