import { describe, expect, test } from '@jest/globals'
import { entries } from './pollution/public-names.ts'
import { noPollution, type Plan } from './pollution/run-entry.ts'
import { namesOfSource } from './pollution/source-names.ts'
import { surroundings } from './pollution/surroundings.ts'

const run = surroundings()

/** Members of property descriptors: with an accessor of such a name on every object, Node's own classes of the Fetch API fail. */
const descriptorNames: readonly string[] = ['get', 'set', 'value', 'writable']
const names = namesOfSource().filter((name) => !descriptorNames.includes(name))

/** What the language reads itself: of iterators, where a loop or a pattern ends early, and of what an async function returns. */
const readByLanguage = /^(?:return|then) is read /

interface Seen {
  readonly notes?: readonly string[]
  readonly outcome?: unknown
  readonly failed?: string
}

async function watched(plan: Pick<Plan, 'entry' | 'when' | 'format'>, keys: readonly string[]): Promise<Seen> {
  const outcome = await run(plan, keys.length === 0 ? noPollution : { kind: 'watched', keys })
  const seen = JSON.parse(outcome.seen) as Seen
  // `fetch` of Node fails with some of the names: what comes out of it differs.
  return plan.entry === 'fetch' ? { ...seen, outcome: undefined } : seen
}

/** Scenarios that need more than one entry. */
const scenarios = ['loggers', 'redaction', 'layouts', 'files', 'otlp', 'fetch', 'spool', 'process', 'sdk']

describe('no code of an entry reads or assigns a member of Object.prototype (row 31)', () => {
  test('the names are all that the source reads of objects, those of internal ones included', () => {
    expect(names.length).toBeGreaterThan(4_000)
    expect(names).toEqual(
      expect.arrayContaining(['isBusy', 'droppedAttributesCount', 'mayHaveArrived', 'body', 'code']),
    )
  })

  test('a read that reaches Object.prototype is noted with its place', async () => {
    const { notes } = await watched({ entry: 'loggers', when: 'after' }, ['then'])
    expect(notes!.length).toBeGreaterThan(0)
    expect(notes!.every((note) => note.startsWith('then is read at') && note.includes('/dist/esm/'))).toBe(true)
  })

  describe.each([...entries, ...scenarios])('%s', (entry) => {
    test.each<[Plan['when'], NonNullable<Plan['format']>]>([
      ['before', 'esm'],
      ['after', 'esm'],
      ['after', 'cjs'],
    ])('reads none of them where they are there %s it is loaded, as %s', async (when, format) => {
      const clean = await watched({ entry, when: 'after', format }, [])
      const { notes, outcome, failed } = await watched({ entry, when, format }, names)
      expect(failed).toBeUndefined()
      expect(notes!.filter((note) => !readByLanguage.test(note))).toEqual([])
      expect(outcome).toEqual(clean.outcome)
    })
  })
})
