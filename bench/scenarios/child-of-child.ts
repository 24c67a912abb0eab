import type { Payload } from '../methods/burst/variant.ts'
import { againstAsyncPino, againstPino, haveChildren, usual } from './usual.ts'

const bound = { tenant: 'acme-eu-1', requestId: '0af7651916cd43dd8448' }
const boundAgain = { job: 'nightly import', attempt: 2 }

const payload: Payload = {
  setup: { bound, boundAgain },
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('row imported', { seq: i })
  },
  expected: (i) => ({ message: 'row imported', attributes: { ...bound, ...boundAgain, seq: i } }),
}

export const childOfChild = usual('A child of a child, each with two bound attributes', payload, {
  targets: [againstPino(0.25), againstAsyncPino],
  more: { file: haveChildren },
})
