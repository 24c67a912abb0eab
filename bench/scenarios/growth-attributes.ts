import type { Payload } from '../methods/burst/variant.ts'
import { growth, lazy } from './growth.ts'
import { messages, names } from './payload.ts'

function payload(size: number): Payload {
  // Created before the timed part, which is the call sluiceOnly.
  const all = lazy(() =>
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
  description: 'The cost of a call by its number of attributes, which should grow linearly',
  sizeName: 'attributes of a call',
  sizes: [0, 1, 2, 4, 8, 16, 32, 64, 128],
  checkedSizes: [128],
  middleSize: 16,
  isProportional: true,
  variantOf: (size) => ({ ...payload(size), records: 20_000, warmUp: 20_000 }),
})
