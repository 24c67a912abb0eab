import { messages } from './payload.ts'
import type { Scenario } from './scenario.ts'
import { burst, rivals, targets, targetToStrongestPino } from './usual.ts'

export const string: Scenario = {
  question: 'A message and nothing else',
  ...burst,
  setup: {},
  rivals,
  targets: [...targets(0.2), targetToStrongestPino],
  run(log, from, to) {
    for (let i = from; i < to; i++) log.text(messages[i % messages.length]!)
  },
  expected: (i) => ({ message: messages[i % messages.length]!, attributes: {} }),
}
