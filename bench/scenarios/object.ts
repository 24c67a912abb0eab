import type { Payload } from '../methods/burst/variant.ts'
import { paths } from './payload.ts'
import { againstAsyncPino, againstPino, againstStrongestPino, allLoggers, burstScenario } from './burst-scenario.ts'

export const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) {
      log.attributes('request served', { seq: i, path: paths[i % paths.length], status: 200 })
    }
  },
  expected: (i) => ({ message: 'request served', attributes: { seq: i, path: paths[i % paths.length], status: 200 } }),
}

export const object = burstScenario('A message and three attributes', payload, {
  targets: [againstPino(0.27), againstAsyncPino, againstStrongestPino],
  more: {
    file: allLoggers,
    pipe: ['pino-transport', 'winston', 'sdk-logs', 'console', 'child-process', 'log-buffer'],
  },
})
