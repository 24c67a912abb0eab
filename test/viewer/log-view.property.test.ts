import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { parseQuery } from '../../src/read/query/parse-query.ts'
import { addLogsRequest } from '../../src/viewer/otlp/add-logs.ts'
import { LogStore } from '../../src/viewer/store/log-store.ts'
import { levelClasses } from '../../src/viewer/views/level-classes.ts'
import { LogView } from '../../src/viewer/views/log-view.ts'
import type { ViewFilter } from '../../src/viewer/views/view-filter.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { requestOf } from './support.ts'

const traces = ['a'.repeat(32), '0'.repeat(31) + '1', undefined]
const record = fc.record({
  time: fc.integer({ min: 1, max: 100 }),
  severityNumber: fc.constantFrom(1, 5, 9, 13, 17, 21),
  service: fc.constantFrom('shop', 'mail'),
  body: fc.constantFrom('order placed', 'order failed', 'mail sent'),
  attributes: fc.record({ tenant: fc.constantFrom('acme', 'globex'), n: fc.nat(20) }),
  traceId: fc.constantFrom(...traces),
})
type Logged = typeof record extends fc.Arbitrary<infer T> ? T : never

/** Filters, each with a function that tests a record in another way. */
const filters: readonly (readonly [filter: ViewFilter, test: (record: Logged) => boolean])[] = [
  [{}, () => true],
  [{ levels: new Set(['error', 'fatal']) }, ({ severityNumber }) => severityNumber >= 17],
  [{ services: new Set(['mail']) }, ({ service }) => service === 'mail'],
  [{ traceId: traces[1] }, ({ traceId }) => traceId === traces[1]],
  [{ from: 20, until: 60 }, ({ time }) => time >= 20 && time < 60],
  [{ query: parseQuery('"placed"') }, ({ body }) => body === 'order placed'],
  [
    { query: parseQuery('tenant=acme and n>10') },
    ({ attributes }) => attributes.tenant === 'acme' && attributes.n > 10,
  ],
  [{ query: parseQuery('service=mail or level>=error') }, (r) => r.service === 'mail' || r.severityNumber >= 17],
  [{ query: parseQuery('"acme"') }, ({ attributes }) => attributes.tenant === 'acme'],
  [{ query: parseQuery('service.name contains shop') }, ({ service }) => service === 'shop'],
]

test('a view has the records that match, before and after it was opened, in any number of parts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(record, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...filters),
      fc.nat(6),
      fc.array(fc.nat(3), { maxLength: 20 }),
      (batches, [filter, isInView], openedAt, pauses) => {
        const store = new LogStore(64 * 1024 * 1024)
        let view: LogView | undefined
        let openedWith = 0
        let calls = 0
        const isOver = (): boolean => pauses[calls++ % pauses.length] === 0
        for (const [at, batch] of batches.entries()) {
          if (at === openedAt) {
            view = new LogView(store, filter)
            openedWith = store.nextSequence
          }
          addLogsRequest(store, requestOf(batch), 0)
          if (pauses.length > 0) view?.update(isOver)
        }
        if (view === undefined) {
          view = new LogView(store, filter)
          openedWith = store.nextSequence
        }
        view.update(() => false)
        // A request has the records of one service together.
        const all = batches
          .flatMap((batch) => Object.values(Object.groupBy(batch, ({ service }) => service)).flat())
          .map((logged, sequence) => ({ logged, sequence }))
        const found = all.filter(({ logged }) => isInView(logged))
        const matching = found.map(({ logged }) => logged)
        expect([...view.rows.sequences]).toEqual(
          found
            .toSorted((a, b) => a.logged.time - b.logged.time || a.sequence - b.sequence)
            .map(({ sequence }) => sequence),
        )
        expect(view.untested).toBe(0)
        expect(view.added).toBe(found.filter(({ sequence }) => sequence >= openedWith).length)
        const counts = [view.levelCounts(), total(view.serviceCounts())]
        // These counts are without the condition of the filter on the same part.
        const expected = [levelCountsOf(matching), matching.length]
        expect(counts.filter((_, part) => isCounted(filter, part))).toEqual(
          expected.filter((_, part) => isCounted(filter, part)),
        )
      },
    ),
    { seed, numRuns: 300 * runs },
  )
})

test('the number of added records includes those that were removed later, and not those that were removed untested', () => {
  const store = new LogStore(3_000_000)
  const batch = Array.from({ length: 500 }, (_, index) => ({
    severityNumber: index % 2 === 0 ? 9 : 17,
    body: 'x'.repeat(900),
  }))
  addLogsRequest(store, requestOf(batch), 0)
  const view = new LogView(store, { levels: new Set(['error']) })
  expect(view.added).toBe(0)
  addLogsRequest(store, requestOf(batch), 0)
  view.update(() => false)
  expect(view.added).toBe(250)
  for (let at = 0; at < 20; at++) addLogsRequest(store, requestOf(batch), 0)
  expect(store.firstSequence).toBeGreaterThan(1_000)
  view.update(() => false)
  const kept = Array.from({ length: store.size }, (_, index) => store.firstSequence + index)
  expect(view.added).toBe(250 + kept.filter((sequence) => sequence % 2 === 1).length)
  expect(view.rows.length).toBe(view.added - 250)
})

test('records that were removed from the store are removed from a view and its counts', () => {
  const store = new LogStore(3_000_000)
  const view = new LogView(store, {})
  const batch = Array.from({ length: 500 }, (_, index) => ({
    time: index + 1,
    severityNumber: 9,
    body: 'x'.repeat(900),
  }))
  for (let at = 0; at < 20; at++) {
    addLogsRequest(store, requestOf(batch), 0)
    if (at % 3 === 0) view.update(() => false)
  }
  view.update(() => false)
  expect(store.firstSequence).toBeGreaterThan(0)
  expect(view.rows.length).toBe(store.size)
  expect(Math.min(...view.rows.sequences)).toBe(store.firstSequence)
  expect(view.levelCounts()[levelClasses.indexOf('info')]).toBe(store.size)
  expect(total(view.serviceCounts())).toBe(store.size)
  expect(store.byteLength).toBeLessThan(3_000_000 + 1_400_000)
})

function isCounted({ levels, services }: ViewFilter, part: number): boolean {
  return (part === 0 ? levels : services) === undefined
}

function levelCountsOf(records: readonly Logged[]): number[] {
  return levelClasses.map(
    (_, index) => records.filter(({ severityNumber }) => (severityNumber + 3) >> 2 === index).length,
  )
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
