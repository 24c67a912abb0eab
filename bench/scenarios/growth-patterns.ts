import type { Payload } from '../methods/burst/variant.ts'
import { growth, once } from './growth.ts'

/** Of the timed records together, so that each size takes about as long. */
const mostCharacters = 20_000_000
const longest = 1_000_000

/** Parts that are nearly what a pattern looks for: each of them is looked at, and none is it. */
const parts = [
  'eyJ', // a token without a dot
  'eyJhbGciOiJub25lIn0.,', // a head without a body
  `${'a'.repeat(64)}@`, // an address without a domain
  'a.a.a.a.a.a.a.a@a.a.a.a.a.a.a.a.1 ',
  '%40',
  '1111 1111 ', // digits of no card
  '1',
  'page=2&', // names that are no secrets
  '"a":"b",',
  'monkey=1&',
  'Bearer a ',
  'Basic QUFB ',
  '://a:b/',
  'sk-a xoxb-a glpat-a npm_a ghp_a ',
  '-----BEGIN CERTIFICATE-----',
]

function payload(size: number): Payload {
  const texts = once(() => parts.map((part) => part.repeat(Math.ceil(size / part.length)).slice(0, size)))
  return {
    setup: { roomFor: 2 * longest },
    run(log, from, to) {
      const all = texts()
      for (let i = from; i < to; i++) log.attributes(all[i % parts.length]!, { seq: i })
    },
    expected: (i) => ({ message: texts()[i % parts.length]!, attributes: { seq: i } }),
  }
}

export const growthPatterns = growth({
  question: 'Each further character of a text that was made against patterns costs the same',
  across: 'characters of a message',
  subjects: ['sluice-patterns', 'sluice'],
  sizes: [1_000, 10_000, 100_000, longest],
  ends: [longest],
  middle: 10_000,
  rises: true,
  at(size) {
    const records = Math.max(parts.length, Math.min(20_000, mostCharacters / size))
    return { ...payload(size), records, warmUp: records }
  },
})
