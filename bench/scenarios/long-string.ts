import type { Payload } from '../methods/burst/variant.ts'
import { longTexts } from './payload.ts'
import { againstPino, wellKnown, burstScenario } from './burst-scenario.ts'

const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('body received', { seq: i, body: longTexts[i % longTexts.length] })
  },
  expected: (i) => ({ message: 'body received', attributes: { seq: i, body: longTexts[i % longTexts.length] } }),
}

export const longString = burstScenario(
  'A message and a string of 2,000 characters, some of which are escaped',
  payload,
  {
    targets: [againstPino(0.6)],
    // Fewer records, about 100 MB in total, because they are long.
    length: { records: 15_000, warmUp: 30_000 },
    more: { file: wellKnown },
  },
)
