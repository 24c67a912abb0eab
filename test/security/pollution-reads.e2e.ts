import { describe, expect, test } from '@jest/globals'
import { entries } from './pollution/public-names.ts'
import { noPollution, type Plan } from './pollution/run-entry.ts'
import { namesOfSource } from './pollution/source-names.ts'
import { scenarioRunner } from './pollution/scenario-runner.ts'

const run = scenarioRunner()

/** Members of property descriptors: Node's own Fetch API classes fail with an accessor of such a name on every object. */
const descriptorNames: readonly string[] = ['get', 'set', 'value', 'writable']
const names = namesOfSource().filter((name) => !descriptorNames.includes(name))

/** Names that the language itself reads: from iterators that end early, and from results of async functions. */
const readByLanguage = /^(?:return|then) is read /

interface Seen {
  readonly notes?: readonly string[]
  readonly outcome?: unknown
  readonly failed?: string
}

async function watched(plan: Pick<Plan, 'entry' | 'when' | 'format'>, keys: readonly string[]): Promise<Seen> {
  const outcome = await run(plan, keys.length === 0 ? noPollution : { kind: 'watched', keys })
  const seen = JSON.parse(outcome.seen) as Seen
  // Node's `fetch` fails with some of the names, so its outcome differs.
  return plan.entry === 'fetch' ? { ...seen, outcome: undefined } : seen
}

/** Scenarios that need more than one entry. */
const scenarios = ['loggers', 'redaction', 'layouts', 'files', 'otlp', 'fetch', 'spool', 'process', 'sdk']

// Fault rows: 31
describe('reads and assignments that reach Object.prototype', () => {
  test('the watched names include all property names in the source', () => {
    expect(names.length).toBeGreaterThan(4_000)
    expect(names).toEqual(
      expect.arrayContaining(['isBusy', 'droppedAttributesCount', 'mayHaveArrived', 'body', 'code']),
    )
  })

  test('a read that reaches Object.prototype is recorded with its source location', async () => {
    const { notes } = await watched({ entry: 'loggers', when: 'after' }, ['then'])
    expect(notes!.length).toBeGreaterThan(0)
    expect(notes!.every((note) => note.startsWith('then is read at') && note.includes('/dist/esm/'))).toBe(true)
  })

  describe.each([...entries, ...scenarios])('the entry %s', (entry) => {
    const clean = new Map<Plan['format'], Promise<Seen>>()
    function cleanOutcome(format: Plan['format']): Promise<Seen> {
      const outcome = clean.get(format) ?? watched({ entry, when: 'after', format }, [])
      clean.set(format, outcome)
      return outcome
    }

    test.each<[Plan['when'], NonNullable<Plan['format']>]>([
      ['before', 'esm'],
      ['after', 'esm'],
      ['after', 'cjs'],
    ])('no property of Object.prototype is read when they are set %s it is loaded, as %s', async (when, format) => {
      const { notes, outcome, failed } = await watched({ entry, when, format }, names)
      expect(failed).toBeUndefined()
      expect(notes!.filter((note) => !readByLanguage.test(note))).toEqual([])
      expect(outcome).toEqual((await cleanOutcome(format)).outcome)
    })
  })
})
