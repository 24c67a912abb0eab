import { describe, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { countInputs } from '../support/jest/counting-fast-check.ts'
import { corpus } from './fuzz/corpus.ts'
import { checkInput, run, type Failure } from './fuzz/run.ts'
import { targetOf } from './fuzz/targets.ts'

describe('what an input of the corpus did once, it does not do again (rows 29 to 36, 45, 46)', () => {
  test.each(corpus())('%s', async (_, { target, input }) => {
    await expect(checkInput(targetOf(target), input)).resolves.toBeUndefined()
  })
})

/** Seeds that once found something, and how many inputs are made of each and of a new one. */
const plans = [
  [
    'log-calls',
    'whatever is logged: one line, well formed, redacted, nothing forged (rows 29, 30, 31, 32, 34)',
    30,
    [1, 2],
  ],
  [
    'handlers',
    'whatever a handler does: the same, and each record is counted as often as it was handed on',
    60,
    [1, 2],
  ],
  ['otel-entries', 'whatever an API or an SDK hands over: the same (rows 29, 30, 31, 32, 34)', 90, [1, 4]],
  ['pending-resources', 'whatever settles, and when: each record carries what is known of its resource', 150, [1]],
  [
    'options',
    'whatever configures: it works, or throws a ConfigurationError without a secret (rows 31, 36)',
    180,
    [3, 13],
  ],
  [
    'environment',
    'whatever the environment says: it is told in one line without its value, or holds (row 36)',
    100,
    [1],
  ],
  ['answers', 'whatever a server answers: records are counted, and no secret is told (row 36)', 150, [1]],
  ['trace-contexts', 'whatever a context holds: ids are ids, or there are none (row 30)', 60, [1]],
  ['stacks', 'whatever a stack says: a covered message is not in it (row 34)', 150, [1, 2]],
  [
    'races',
    'whatever comes first: nothing is lost uncounted, and one dead exporter harms no other (rows 45, 46)',
    90,
    [3, 4],
  ],
  [
    'spools',
    'whatever is in the directory of a spool: nothing outside is touched, and nothing changed is delivered (rows 9, 18)',
    60,
    [1, 2],
  ],
  [
    'user-code',
    'whatever promise, error or value user code returns: records are counted, and nothing rejects',
    60,
    [1],
  ],
  ['patterns', 'a pattern that is accepted takes a bounded time on any text (row 35)', 400, [1]],
  ['pollution', 'whatever another library puts on Object.prototype: each entry does the same (row 31)', 12, [1]],
] as const

/** Counts an input for SECURITY.md. */
function begin(): void {
  countInputs(1)
}

describe('inputs at random', () => {
  test.each(plans)('%s: %s', async (name, _, numRuns, seeds) => {
    const failures: (Failure | undefined)[] = []
    for (const seed of [...seeds, randomInt(2 ** 31)])
      failures.push(await run(targetOf(name), { seed, numRuns, begin }))
    // The failure says its seed, its input and its error; `npm run fuzz` with the seed saves the input.
    expect(failures.filter((failure) => failure !== undefined)).toEqual([])
  })
})
