import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/pipes.ts'
import {
  entries,
  names,
  runEntry,
  throwingNames,
  type Kind,
  type Outcome,
  type Plan,
  type Prototype,
} from './pollution/run-entry.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

function run(plan: Omit<Plan, 'directory'>): Promise<Outcome> {
  return runEntry({ ...plan, directory: directory.path('.') })
}

describe('what another library put on a prototype changes nothing that an entry does (row 31)', () => {
  const clean = new Map<string, Outcome>()

  test('the names are those of the whole public API', () => {
    expect(names.length).toBeGreaterThan(450)
    expect(names).toEqual(
      expect.arrayContaining(['transport', 'customLevels', 'silent', 'stderrLevels', 'redact', 'stream']),
    )
    expect(entries).toHaveLength(21)
  })

  test.each(['before', 'after'] as const)('Node itself works with these names, %s', async (when) => {
    const expected = await run({ entry: 'control', when: 'never', keys: [] })
    expect(expected).toMatchObject({ code: 0, seen: expect.stringContaining('to the child') as unknown })
    for (const kind of ['text', 'function', 'object'] as const) {
      expect(await run({ entry: 'control', when, kind, keys: names })).toEqual(expected)
    }
  })

  describe.each(entries)('%s', (entry) => {
    beforeAll(async () => {
      const outcome = await run({ entry, when: 'never', keys: [] })
      expect(outcome).toMatchObject({ code: 0, stderr: '', seen: expect.stringMatching(/^\{"outcome":/) as unknown })
      clean.set(entry, outcome)
    })

    test.each<[Plan['when'], Prototype, Kind]>([
      ['before', 'object', 'text'],
      ['before', 'object', 'function'],
      ['after', 'object', 'text'],
      ['after', 'object', 'object'],
      ['after', 'object', 'hidden'],
      ['before', 'array', 'text'],
      ['before', 'function', 'text'],
    ])('does the same with all names %s it is loaded on the prototype of %s, as %s', async (when, on, kind) => {
      const keys = on === 'object' ? names : names.filter((name) => name !== 'toJSON')
      expect(await run({ entry, when, on, kind, keys })).toEqual(clean.get(entry))
    })

    // Node reads every member of the environment that it starts a process with, inherited ones included.
    if (entry !== 'child-process') {
      test('does the same with getters that throw on the prototype of object', async () => {
        expect(await run({ entry, when: 'after', kind: 'throwing', keys: throwingNames })).toEqual(clean.get(entry))
      })
    }

    test('does the same with a member that means nothing, required as CommonJS', async () => {
      expect(await run({ entry, format: 'cjs', when: 'before', keys: ['x'] })).toEqual(clean.get(entry))
    })
  })
})
