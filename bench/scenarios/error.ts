import type { Payload } from '../methods/burst/variant.ts'
import { messages } from './payload.ts'
import { againstPino, usual } from './usual.ts'

const frames = Array.from(
  { length: 10 },
  (_, index) => `\n    at charge${index} (/srv/shop/src/payment.js:${index + 40}:13)`,
)

// Made before, with a stack that is written down: what V8 takes to write one is the application's, and the checker, which
// is another process, has to know it.
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

export const error = usual('A message and an error with a stack of ten frames', payload, {
  targets: [againstPino(0.35)],
  // The others write no stack, or not as it is.
  more: { file: ['bunyan', 'sdk-logs'] },
})
