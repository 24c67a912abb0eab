import { beforeAll, describe, expect, test } from '@jest/globals'
import { entries, names, throwingNames } from './pollution/public-names.ts'
import { noPollution, type Kind, type Outcome, type Plan, type Prototype } from './pollution/run-entry.ts'
import { scenarioRunner } from './pollution/scenario-runner.ts'

const run = scenarioRunner()

/** Names that node:zlib streams and HTTP requests of Node read from their own objects. */
const readByNetwork = new Set(['flush', 'transform', 'req'])
/** Scenarios that need these. */
const usesNetwork = new Set(['otlp', 'spool', 'read'])

/** Returns the names with which the Node APIs that a scenario needs still work. */
function usable(all: readonly string[], entry: string): readonly string[] {
  return usesNetwork.has(entry) ? all.filter((name) => !readByNetwork.has(name)) : all
}

/** Scenarios that need more than one entry. */
const scenarios = ['loggers', 'redaction', 'layouts', 'files', 'otlp', 'spool', 'process', 'sdk']

// Fault rows: 31
describe('pollution of prototypes with all public names', () => {
  const clean = new Map<string, Outcome>()

  test('the polluted names include the whole public API', () => {
    expect(names.length).toBeGreaterThan(450)
    expect(names).toEqual(
      expect.arrayContaining(['transport', 'customLevels', 'silent', 'stderrLevels', 'redact', 'stream']),
    )
    expect(entries).toHaveLength(25)
  })

  test.each(['before', 'after'] as const)(
    'Node itself works with the polluted names (polluted %s the scenario loads)',
    async (when) => {
      const expected = await run({ entry: 'control', when: 'after' }, noPollution)
      expect(expected.seen).toContain('to the child')
      for (const kind of ['text', 'function', 'object'] as const) {
        expect(await run({ entry: 'control', when }, { kind, keys: names })).toEqual(expected)
      }
    },
  )

  describe.each([...entries, ...scenarios])('the entry %s', (entry) => {
    beforeAll(async () => {
      const outcome = await run({ entry, when: 'after' }, noPollution)
      expect(outcome).toMatchObject({ stderr: '', seen: expect.stringContaining('"outcome":') as unknown })
      clean.set(entry, outcome)
    })

    test.each<[Plan['when'], Prototype, Kind]>([
      ['before', 'object', 'text'],
      ['before', 'object', 'function'],
      ['after', 'object', 'text'],
      ['after', 'object', 'object'],
      ['after', 'object', 'number'],
      ['after', 'object', 'hidden'],
      ['before', 'array', 'text'],
      ['before', 'function', 'text'],
    ])(
      'the outcome is unchanged when all names are set %s it is loaded on the prototype of %s, as %s',
      async (when, on, kind) => {
        const given = usable(names, entry)
        const keys = on === 'object' ? given : given.filter((name) => name !== 'toJSON')
        expect(await run({ entry, when, on }, { kind, keys })).toEqual(clean.get(entry))
      },
    )

    // Node reads inherited members of the environment of a child process too.
    if (!['child-process', 'process'].includes(entry)) {
      test('the outcome is unchanged with getters that throw on the prototype of object', async () => {
        expect(await run({ entry, when: 'after' }, { kind: 'throwing', keys: usable(throwingNames, entry) })).toEqual(
          clean.get(entry),
        )
      })
    }

    test('the outcome is unchanged with an unrelated member on the prototype of object, loaded as CommonJS', async () => {
      expect(await run({ entry, format: 'cjs', when: 'before' }, { kind: 'text', keys: ['x'] })).toEqual(
        clean.get(entry),
      )
    })
  })
})
