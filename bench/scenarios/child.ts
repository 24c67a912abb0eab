import type { Payload } from '../methods/burst/variant.ts'
import { againstAsyncPino, againstPino, againstStrongestPino, withChildren, burstScenario } from './burst-scenario.ts'

const bound = { tenant: 'acme-eu-1', requestId: '0af7651916cd43dd8448' }

export const payload: Payload = {
  setup: { bound },
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('row imported', { seq: i })
  },
  expected: (i) => ({ message: 'row imported', attributes: { ...bound, seq: i } }),
}

export const child = burstScenario(
  'A child logger with two bound attributes; each call has a message and one attribute',
  payload,
  {
    targets: [againstPino(0.25), againstAsyncPino, againstStrongestPino],
    more: { file: withChildren },
  },
)
