import type { Payload } from '../methods/burst/variant.ts'
import { longTexts } from './payload.ts'
import { againstPino, bestKnown, usual } from './usual.ts'

const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('body received', { seq: i, body: longTexts[i % longTexts.length] })
  },
  expected: (i) => ({ message: 'body received', attributes: { seq: i, body: longTexts[i % longTexts.length] } }),
}

export const longString = usual('A message and a text of 2,000 characters, some of which are escaped', payload, {
  targets: [againstPino(0.6)],
  // Together some 100 MB: what goes to a pipe fits into the queue, as that of the other questions does.
  length: { records: 15_000, warmUp: 30_000 },
  more: { file: bestKnown },
})
