import type { BurstVariant } from '../methods/burst/variant.ts'
import { messages } from './payload.ts'
import type { Scenario } from './scenario.ts'

// Created before the timed part, which is the call alone.
const attributes = { path: '/api/orders', status: 200 }

const call: BurstVariant = {
  to: 'null',
  subjects: ['sluice', 'pino-sync', 'empty'],
  more: ['sluice-directive', 'bunyan', 'bole', 'tslog', 'logtape', 'sdk-logs'],
  records: 10_000_000,
  warmUp: 2_000_000,
  // Real programs also log, and disabled methods share compiled code with enabled ones.
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

/** Fewer calls for loggers that take microseconds for a disabled call. */
const fewer: BurstVariant = {
  ...call,
  subjects: ['sluice', 'winston'],
  more: [],
  records: 200_000,
  warmUp: 50_000,
}

export const disabled: Scenario = {
  description: 'A call at a disabled level, in a program that has logged 100,000 records',
  method: 'burst',
  runs: 7,
  figures: ['loop', 'loopAbove'],
  compared: ['loop'],
  difference: { figure: 'loopAbove', of: 'loop', baseline: 'empty' },
  targets: [{ variants: ['null'], figures: ['loopAbove'], limit: 3 }],
  variants: { null: call, fewer },
}
