import type { Payload } from '../methods/burst/variant.ts'
import { messages } from './payload.ts'
import { againstAsyncPino, againstPino, againstStrongestPino, allLoggers, burstScenario } from './burst-scenario.ts'

const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.text(messages[i % messages.length]!)
  },
  expected: (i) => ({ message: messages[i % messages.length]!, attributes: {} }),
}

export const string = burstScenario('A message and nothing else', payload, {
  targets: [againstPino(0.2), againstAsyncPino, againstStrongestPino],
  more: { file: allLoggers },
})
