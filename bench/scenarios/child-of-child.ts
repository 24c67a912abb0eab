import type { Payload } from '../methods/burst/variant.ts'
import { againstAsyncPino, againstPino, withChildren, burstScenario } from './burst-scenario.ts'

const bound = { tenant: 'acme-eu-1', requestId: '0af7651916cd43dd8448' }
const nestedBound = { job: 'nightly import', attempt: 2 }

const payload: Payload = {
  setup: { bound, nestedBound },
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('row imported', { seq: i })
  },
  expected: (i) => ({ message: 'row imported', attributes: { ...bound, ...nestedBound, seq: i } }),
}

export const childOfChild = burstScenario('A child of a child logger, each with two bound attributes', payload, {
  targets: [againstPino(0.25), againstAsyncPino],
  more: { file: withChildren },
})
