import * as fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { entries, names, throwingNames } from '../pollution/public-names.ts'
import { noPollution, runEntry, type Kind, type Outcome } from '../pollution/run-entry.ts'
import { target, type Target } from './target.ts'

/** Entries that start processes or threads from files that exist only in the build. */
const needBuild = new Set(['child-process'])
/** The outcome of each entry without pollution. */
const clean = new Map<string, Promise<Outcome>>()

/** Every entry with some of the public names on Object.prototype. */
export const pollution: Target<unknown> = target(
  'pollution',
  fc.record({
    entry: fc.constantFrom(...entries.filter((entry) => !needBuild.has(entry))),
    kind: fc.constantFrom<Kind[]>('text', 'flag', 'function', 'object', 'hidden', 'throwing'),
    // Many names per input, because each input starts a process; a failure is shrunk.
    keys: fc.subarray([...names], { minLength: 100 }),
  }),
  async ({ entry, kind, keys }) => {
    const directory = temporaryDirectory()
    try {
      // Pollution before loading breaks Node's own type stripping.
      const plan = { entry, format: 'source', directory: directory.path('.'), when: 'after' } as const
      if (!clean.has(entry)) {
        clean.set(entry, runEntry(plan, noPollution))
      }
      const expected = await clean.get(entry)!
      if (!expected.seen.startsWith('{"outcome":'))
        throw new Error(`${entry} does not work at all: ${JSON.stringify(expected)}`)
      const usable = kind === 'throwing' ? keys.filter((key) => throwingNames.includes(key)) : keys
      const outcome = await runEntry(plan, { kind, keys: usable })
      if (!isDeepStrictEqual(outcome, expected)) {
        throw new Error(`${entry} did ${JSON.stringify(outcome)}, and without pollution ${JSON.stringify(expected)}`)
      }
    } finally {
      directory.remove()
    }
  },
)
