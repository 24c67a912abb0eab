import type { Payload } from '../methods/burst/variant.ts'
import { growth, once } from './growth.ts'
import { messages, names } from './payload.ts'

function payload(size: number): Payload {
  // Made before: the call is the question, not the object.
  const all = once(() =>
    names.map((name, row) =>
      Object.fromEntries(
        Array.from({ length: size }, (_, i) => [`attribute${i}`, i % 2 === 0 ? name : row * 1_000 + i]),
      ),
    ),
  )
  return {
    setup: {},
    run(log, from, to) {
      const objects = all()
      for (let i = from; i < to; i++) log.attributes(messages[i % messages.length]!, objects[i % objects.length]!)
    },
    expected: (i) => ({ message: messages[i % messages.length]!, attributes: all()[i % names.length]! }),
  }
}

export const growthAttributes = growth({
  question: 'Each further attribute of a call costs the same',
  across: 'attributes of a call',
  sizes: [0, 1, 2, 4, 8, 16, 32, 64, 128],
  ends: [128],
  middle: 16,
  rises: true,
  at: (size) => ({ ...payload(size), records: 20_000, warmUp: 20_000 }),
})
