import type { Payload } from '../methods/burst/variant.ts'
import { growth, lazy } from './growth.ts'

/** The maximum number of characters of the timed records, so that all sizes take about the same time. */
const mostCharacters = 20_000_000
const longest = 1_000_000

/** Strings that almost match a pattern, so that each is examined and none is redacted. */
const parts = [
  'eyJ', // a token without a dot
  'eyJhbGciOiJub25lIn0.,', // a header without a payload
  `${'a'.repeat(64)}@`, // an address without a domain
  'a.a.a.a.a.a.a.a@a.a.a.a.a.a.a.a.1 ',
  '%40',
  '1111 1111 ', // digits that are not a card number
  '1',
  'page=2&', // names that are not secret
  '"a":"b",',
  'monkey=1&',
  'Bearer a ',
  'Basic QUFB ',
  '://a:b/',
  'sk-a xoxb-a glpat-a npm_a ghp_a ',
  '-----BEGIN CERTIFICATE-----',
]

function payload(size: number): Payload {
  const texts = lazy(() => parts.map((part) => part.repeat(Math.ceil(size / part.length)).slice(0, size)))
  return {
    setup: { capacityBytes: 2 * longest },
    run(log, from, to) {
      const all = texts()
      for (let i = from; i < to; i++) log.attributes(all[i % parts.length]!, { seq: i })
    },
    expected: (i) => ({ message: texts()[i % parts.length]!, attributes: { seq: i } }),
  }
}

export const growthPatterns = growth({
  description: 'The cost of a call by the length of a message that almost matches patterns, which should grow linearly',
  sizeName: 'characters of a message',
  subjects: ['sluice-patterns', 'sluice'],
  sizes: [1_000, 10_000, 100_000, longest],
  checkedSizes: [longest],
  middleSize: 10_000,
  isProportional: true,
  variantOf(size) {
    const records = Math.max(parts.length, Math.min(20_000, mostCharacters / size))
    return { ...payload(size), records, warmUp: records }
  },
})
