import { join } from 'node:path'
import { describe, expect, it, test } from '@jest/globals'
import * as fc from 'fast-check'
import { olderRecord, searchOlder } from '../../../src/viewer/database/older-records.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { LogView } from '../../../src/viewer/views/log-view.ts'
import type { ViewFilter } from '../../../src/viewer/views/view-filter.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'
import type { TestRecord } from '../support.ts'
import { inDirectory, TestViewer } from './support.ts'

const words = [
  'order',
  'ORDER placed',
  'für Ünal',
  '日本語のログ',
  '"quoted"',
  "it's 100%",
  'a|b~c',
  'abcdef0123456789',
  'shop',
  'x',
]
const record: fc.Arbitrary<TestRecord> = fc.record({
  time: fc.integer({ min: 1, max: 100 }),
  severityNumber: fc.constantFrom(5, 9, 17),
  body: fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((parts) => parts.join(' ')),
  attributes: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(...words), { maxKeys: 2 }),
  service: fc.constantFrom('shop', 'mail order'),
  traceId: fc.constantFrom('abcdef0123456789abcdef0123456789', '1'.repeat(32)),
})
const requests = fc.array(fc.array(record, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 })
const quoted = (word: string): string => `"${word.replaceAll('"', '\\"')}"`
const filter: fc.Arbitrary<ViewFilter> = fc.record(
  {
    levels: fc.constant(new Set(['error'] as const)),
    services: fc.constant(new Set(['mail order'])),
    traceId: fc.constant('1'.repeat(32)),
    from: fc.integer({ min: 1, max: 100 }),
    query: fc
      .oneof(
        fc.constantFrom(...words, 'rder', 'laced', 'のロ', 'cdef012345').map(quoted),
        fc.constantFrom(...words).map((word) => `a = ${quoted(word)}`),
        fc.constantFrom('service.name = "mail order"', 'a ~ "^or"', 'not "order"', '"order" or a = "shop"'),
      )
      .map((query) => parseQuery(query)),
  },
  { requiredKeys: [] },
)

/** Returns the messages of the records in memory that match, the newest first. */
function inMemory(viewer: TestViewer, viewFilter: ViewFilter): (string | undefined)[] {
  const view = new LogView(viewer.logs, viewFilter)
  view.update(() => false)
  return [...view.rows.sequences]
    .toSorted((a, b) => b - a)
    .map((sequence) => {
      const { segment, index } = viewer.logs.placeOf(sequence)!
      return viewer.logs.readAt(segment, index).message
    })
}

describe('the search of older records', () => {
  test.each([
    ['with an index of all records', { hasIndex: true, indexed: 1 }],
    ['with an index of some records', { hasIndex: true, indexed: 0.5 }],
    ['without an index', { hasIndex: false, indexed: 0 }],
  ])('finds the same records as in memory %s', async (_name, { hasIndex, indexed }) => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.array(filter, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        async (all, filters, limit) => {
          await inDirectory(async (directory) => {
            const viewer = new TestViewer(join(directory, 'a.db'), { hasIndex })
            // A chunk of the index has many records, so one request is made large enough for it.
            const padding = { body: 'y'.repeat(40_000), time: 1_000 }
            for (const [at, request] of all.entries()) {
              viewer.receive([...request, padding])
              if (at < all.length * indexed) viewer.index()
            }
            expect((viewer.archive.database.index?.indexedUntil ?? 0) > 0).toBe(hasIndex)
            for (const each of filters) expect(await viewer.older(each, true, limit)).toEqual(inMemory(viewer, each))
            viewer.archive.close()
          })
        },
      ),
      { seed, numRuns: 25 * runs },
    )
  })

  it('reads few blocks if the index excludes the others', async () => {
    await inDirectory(async (directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'))
      for (let request = 0; request < 50; request++)
        viewer.receive([{ body: 'y'.repeat(40_000) }, { body: `number ${request} of all` }])
      viewer.index()
      const { database } = viewer.archive
      const { blocksBetween } = database
      let blocks = 0
      database.blocksBetween = (...parameters) => {
        const found = blocksBetween.apply(database, parameters)
        blocks += found.length
        return found
      }
      expect(await viewer.older({ query: parseQuery('"number 7 of"') }, true)).toEqual(['number 7 of all'])
      expect(blocks).toBe(1)
      viewer.archive.close()
    })
  })

  it('continues where it ended, and ends at a deleted record', async () => {
    await inDirectory(async (directory) => {
      const viewer = new TestViewer(join(directory, 'a.db'))
      viewer.receive(['one', 'two', 'three'].map((body) => ({ body })))
      const { database } = viewer.archive
      const first = await searchOlder(database, {}, { count: 2 })
      expect(first.records.map(({ number, record: { message } }) => [number, message])).toEqual([
        [2, 'three'],
        [1, 'two'],
      ])
      const second = await searchOlder(database, {}, { before: first.next!, count: 2 })
      expect([second.records.map(({ record: { message } }) => message), second.next]).toEqual([['one'], undefined])
      expect([0, 1, 2, 3, -1].map((number) => olderRecord(database, number)?.record.message)).toEqual([
        'one',
        'two',
        'three',
        undefined,
        undefined,
      ])
      viewer.archive.close()
    })
  })
})
