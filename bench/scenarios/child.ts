import type { Scenario } from './scenario.ts'
import { burst, rivals, targets, targetToStrongestPino } from './usual.ts'

const bound = { tenant: 'acme-eu-1', requestId: '0af7651916cd43dd8448' }

export const child: Scenario = {
  question: 'A child logger with two bound attributes; the call says a message and one more',
  ...burst,
  setup: { bound },
  rivals,
  targets: [...targets(0.25), targetToStrongestPino],
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('row imported', { seq: i })
  },
  expected: (i) => ({ message: 'row imported', attributes: { ...bound, seq: i } }),
}
