import type { Payload } from '../methods/burst/variant.ts'
import { growth, lazy } from './growth.ts'

/** The maximum number of characters of the timed records, so that all sizes take about the same time. */
const mostCharacters = 100_000_000
const longest = 1_000_000
const variety = 16

function payload(size: number): Payload {
  const texts = lazy(() =>
    Array.from({ length: variety }, (_, index) =>
      Buffer.alloc(size, `part ${index} of the report, `).toString('latin1'),
    ),
  )
  return {
    setup: { capacityBytes: 2 * longest },
    run(log, from, to) {
      const all = texts()
      for (let i = from; i < to; i++) log.attributes(all[i % variety]!, { seq: i })
    },
    expected: (i) => ({ message: texts()[i % variety]!, attributes: { seq: i } }),
  }
}

export const growthMessage = growth({
  description: 'The cost of a call by the length of its message, which should grow linearly',
  sizeName: 'characters of a message',
  sizes: [10, 100, 1_000, 10_000, 100_000, longest],
  checkedSizes: [longest],
  middleSize: 10_000,
  isProportional: true,
  variantOf(size) {
    const records = Math.min(100_000, mostCharacters / size)
    return { ...payload(size), records, warmUp: records }
  },
})
