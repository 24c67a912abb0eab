import type { Payload } from '../methods/burst/variant.ts'
import { messages } from './payload.ts'
import { againstPino, burstScenario } from './burst-scenario.ts'

const frames = Array.from(
  { length: 10 },
  (_, index) => `\n    at charge${index} (/srv/shop/src/payment.js:${index + 40}:13)`,
)

// Created before the timed part, because capturing a stack is not the logger's work. The stacks are fixed, because the
// checker is another process.
const errors = Array.from({ length: 64 }, (_, index) => {
  const message = `cannot charge card ${index}`
  return Object.assign(new TypeError(message), { stack: `TypeError: ${message}${frames.join('')}` })
})

const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.error!(messages[i % messages.length]!, errors[i % errors.length]!)
  },
  expected: (i) => ({ message: messages[i % messages.length]!, attributes: {}, error: errors[i % errors.length]! }),
}

export const error = burstScenario('A message and an error with a stack of ten frames', payload, {
  targets: [againstPino(0.35)],
  // Other loggers write no stack, or change it.
  more: { file: ['bunyan', 'sdk-logs'] },
})
