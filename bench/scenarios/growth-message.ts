import type { Payload } from '../methods/burst/variant.ts'
import { growth, once } from './growth.ts'

/** Of the timed records together, so that each size takes about as long. */
const mostCharacters = 100_000_000
const longest = 1_000_000
const variety = 16

function payload(size: number): Payload {
  const texts = once(() =>
    Array.from({ length: variety }, (_, index) =>
      Buffer.alloc(size, `part ${index} of the report, `).toString('latin1'),
    ),
  )
  return {
    setup: { roomFor: 2 * longest },
    run(log, from, to) {
      const all = texts()
      for (let i = from; i < to; i++) log.attributes(all[i % variety]!, { seq: i })
    },
    expected: (i) => ({ message: texts()[i % variety]!, attributes: { seq: i } }),
  }
}

export const growthMessage = growth({
  question: 'Each further character of a message costs the same',
  across: 'characters of a message',
  sizes: [10, 100, 1_000, 10_000, 100_000, longest],
  ends: [longest],
  middle: 10_000,
  rises: true,
  at(size) {
    const records = Math.min(100_000, mostCharacters / size)
    return { ...payload(size), records, warmUp: records }
  },
})
