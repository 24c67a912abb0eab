import { paths } from './payload.ts'
import type { Scenario } from './scenario.ts'
import { burst, rivals, targets, targetToStrongestPino } from './usual.ts'

export const object: Scenario = {
  question: 'A message and three attributes',
  ...burst,
  setup: {},
  rivals,
  targets: [...targets(0.27), targetToStrongestPino],
  run(log, from, to) {
    for (let i = from; i < to; i++) {
      log.attributes('request served', { seq: i, path: paths[i % paths.length], status: 200 })
    }
  },
  expected: (i) => ({ message: 'request served', attributes: { seq: i, path: paths[i % paths.length], status: 200 } }),
}
