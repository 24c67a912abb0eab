import type { Payload } from '../methods/burst/variant.ts'
import { longTexts } from './payload.ts'
import { againstPino, loggers, usual } from './usual.ts'

const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('body received', { seq: i, body: longTexts[i % longTexts.length] })
  },
  expected: (i) => ({ message: 'body received', attributes: { seq: i, body: longTexts[i % longTexts.length] } }),
}

export const longString = usual('A message and a text of 2,000 characters, some of which are escaped', payload, {
  targets: againstPino(0.62),
  more: { file: loggers },
})
