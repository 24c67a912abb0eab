import type { Payload } from '../methods/burst/variant.ts'
import { names } from './payload.ts'
import { againstPino, burstScenario } from './burst-scenario.ts'

export const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.formatted!('%s imported %d rows', names[i % names.length]!, i)
  },
  expected: (i) => ({ message: `${names[i % names.length]} imported ${i} rows`, attributes: {} }),
}

export const printf = burstScenario('A format string with %s and %d', payload, {
  targets: [againstPino(0.33)],
  more: { file: ['bunyan', 'roarr'] },
})
