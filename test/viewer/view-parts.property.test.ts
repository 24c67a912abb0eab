import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { RecordSource } from '../../src/viewer/otlp/otlp-record.ts'
import { SourceTable } from '../../src/viewer/store/source-table.ts'
import { histogramOf } from '../../src/viewer/views/histogram.ts'
import { keysOf } from '../../src/viewer/views/keys.ts'
import { levelClasses, levelClassOf } from '../../src/viewer/views/level-classes.ts'
import { LogView } from '../../src/viewer/views/log-view.ts'
import { templateGroups } from '../../src/viewer/views/template-groups.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { storeWith } from './support.ts'

const record = fc.record({
  time: fc.integer({ min: 1, max: 1_000 }),
  severityNumber: fc.integer({ min: 1, max: 24 }),
  body: fc.tuple(fc.constantFrom('order', 'mail'), fc.nat(500)).map(([word, id]) => `${word} ${id} handled`),
})
const records = fc.array(record, { minLength: 1, maxLength: 50, size: 'max' })

function viewOf(logged: Parameters<typeof storeWith>[0]) {
  const store = storeWith(logged)
  const view = new LogView(store, {})
  view.update(() => false)
  return { store, rows: view.rows }
}

describe('a histogram', () => {
  test('has each row from its start to its end once, in the interval of its time and in the class of its level', () => {
    fc.assert(
      fc.property(
        records,
        fc.nat(900),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 40 }),
        (logged, from, width, intervals) => {
          const until = from + width
          const { counts } = histogramOf(viewOf(logged).rows, from, until, intervals)
          const expected = Array.from({ length: intervals }, () => levelClasses.map(() => 0))
          for (const { time, severityNumber } of logged.filter((each) => each.time >= from && each.time < until)) {
            const interval = Math.floor((time - from) / (width / intervals))
            expected[Math.min(intervals - 1, interval)]![levelClassOf(severityNumber)]!++
          }
          expect(counts).toEqual(expected)
        },
      ),
      { seed, numRuns: 60 * runs },
    )
  })

  test('of no rows has intervals without rows', () => {
    const { counts } = histogramOf(viewOf([]).rows, 0, 10, 2)
    expect(counts).toEqual([levelClasses.map(() => 0), levelClasses.map(() => 0)])
  })
})

test('the groups of templates have each row once, with the first and last time, the most frequent first', () => {
  fc.assert(
    fc.property(records, (logged) => {
      const { store, rows } = viewOf(logged)
      const groups = templateGroups(store, rows)
      const expected = Object.entries(Object.groupBy(logged, ({ body }) => body.split(' ')[0]!)).map(([word, each]) => {
        const times = each!.map(({ time }) => time)
        return {
          text: `${word} <num> handled`,
          count: each!.length,
          firstTime: Math.min(...times),
          lastTime: Math.max(...times),
          levels: levelClasses.map(
            (_, index) => each!.filter(({ severityNumber }) => levelClassOf(severityNumber) === index).length,
          ),
        }
      })
      expect(groups.toSorted(byText)).toMatchObject(expected.toSorted(byText))
      expect(new Set(groups.map(({ template }) => template)).size).toBe(expected.length)
      expect(groups.map(({ count }) => count)).toEqual(groups.map(({ count }) => count).toSorted((a, b) => b - a))
    }),
    { seed, numRuns: 60 * runs },
  )
})

describe('the keys of records', () => {
  test('are those of attributes and resources, with their frequent values, as a query names them', () => {
    const { store } = viewOf([
      { attributes: { tenant: 'acme', order: { id: 7, 'x.y': true } } },
      { attributes: { tenant: 'acme', list: [1], long: 'x'.repeat(100) } },
      { attributes: { tenant: 'globex', __proto__: null, constructor: 'c' } },
    ])
    const keys = new Map(keysOf(store).map(({ key, count, values }) => [key, { count, values }]))
    expect(keys.get('tenant')).toEqual({
      count: 3,
      values: [
        ['acme', 2],
        ['globex', 1],
      ],
    })
    expect(keys.get('order.id')).toEqual({ count: 1, values: [['7', 1]] })
    expect(keys.get('order.x.y')).toEqual({ count: 1, values: [['true', 1]] })
    expect(keys.get('list')).toEqual({ count: 1, values: [] })
    expect(keys.get('long')).toEqual({ count: 1, values: [] })
    expect(keys.get('constructor')).toEqual({ count: 1, values: [['c', 1]] })
    expect(keys.get('service.name')).toEqual({ count: 3, values: [['shop', 3]] })
  })

  test('are bounded, whatever records have, and the most frequent are first', () => {
    const { store } = viewOf(
      Array.from({ length: 2_000 }, (_, index) => ({ attributes: { tenant: `t${index}`, [`key${index}`]: 1 } })),
    )
    const keys = keysOf(store)
    expect(keys).toHaveLength(300)
    expect(
      keys
        .slice(0, 2)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(['service.name', 'tenant'])
    expect(keys.find(({ key }) => key === 'tenant')?.values).toHaveLength(10)
  })
})

test('a source table returns a source by its number as long as it has records, and then uses its number again', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 60, size: 'max' }), (steps) => {
      const table = new SourceTable()
      const counts = new Map<string, number>()
      for (const [name, isAdded] of steps) {
        const key = `source ${name}`
        const count = counts.get(key) ?? 0
        if (!isAdded && count === 0) continue
        const number = table.numberOf(key, () => ({ scope: key }) as RecordSource)
        if (isAdded) table.addRecord(number)
        else table.removeRecord(number)
        counts.set(key, count + (isAdded ? 1 : -1))
        const used = Array.from(table.used())
        const kept = [...counts].filter(([, each]) => each > 0).map(([each]) => each)
        expect(new Set(used.map(([, source]) => source.scope))).toEqual(new Set(kept))
        expect(used).toHaveLength(kept.length)
        for (const [each, source] of used) expect(table.get(each)).toBe(source)
        expect(Math.max(-1, ...used.map(([each]) => each))).toBeLessThan(6)
        expect(table.byteLength > 0).toBe(kept.length > 0)
      }
    }),
    { seed, numRuns: 60 * runs },
  )
})

function byText(a: { readonly text: string }, b: { readonly text: string }): number {
  return a.text < b.text ? -1 : 1
}
