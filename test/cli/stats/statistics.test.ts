import { describe, expect, it } from '@jest/globals'
import { maxGroups, Statistics, type StatisticsOptions } from '../../../src/cli/stats/statistics.ts'
import { summaryJson } from '../../../src/cli/stats/summary-json.ts'
import { readRecord } from '../support/read-records.ts'

const start = Date.UTC(2026, 10, 21, 9, 56, 3)
const origin = { file: 'app.log', line: 1, container: undefined, stream: undefined }

function statisticsOf(records: readonly ReturnType<typeof readRecord>[], options: Partial<StatisticsOptions> = {}) {
  const statistics = new Statistics({ by: ['level', 'service', 'template'], percentiles: [], ...options })
  for (const record of records) statistics.record(record)
  return statistics
}

function summaryOf(statistics: Statistics, top = 0): Record<string, unknown> {
  return JSON.parse(summaryJson(statistics, ['app.log'], top)) as Record<string, unknown>
}

/** Returns a word without digits for a number. */
function letters(index: number): string {
  return index.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
}

describe('Statistics', () => {
  it('counts records by level, service and template', () => {
    const resource = { 'service.name': 'shop' }
    const statistics = statisticsOf([
      readRecord({ message: 'order 1 placed', time: start, resource }),
      readRecord({ message: 'order 22 placed', time: start + 2_000, resource }),
      readRecord({ message: 'order 3 failed', time: start + 10_000, level: 'error', resource }),
      readRecord({ message: 'order 4 placed', time: start + 5_000 }),
    ])
    expect(summaryOf(statistics)).toMatchObject({
      records: 4,
      withoutTime: 0,
      formats: { sluice: 4 },
      total: { count: 4, first: '2026-11-21T09:56:03.000Z', last: '2026-11-21T09:56:13.000Z', ratePerSecond: 0.4 },
      levels: [
        { level: 'info', count: 3 },
        { level: 'error', count: 1 },
      ],
      by: ['level', 'service', 'template'],
      groups: [
        {
          values: { level: 'info', service: 'shop', template: 'order <num> placed' },
          count: 2,
          first: '2026-11-21T09:56:03.000Z',
          last: '2026-11-21T09:56:05.000Z',
          ratePerSecond: 0.2,
        },
        { values: { level: 'error', service: 'shop', template: 'order <num> failed' }, count: 1 },
        { values: { level: 'info', service: null, template: 'order <num> placed' }, count: 1 },
      ],
      otherGroups: 0,
      otherCount: 0,
    })
  })

  it('groups by attributes, nested ones and those of other types', () => {
    const statistics = statisticsOf(
      [
        readRecord({ attributes: { tenant: 7, user: new Map([['plan', 'pro']]) } }),
        readRecord({ attributes: { tenant: '7', 'user.plan': 'pro' } }),
        readRecord({ attributes: { tenant: true, user: new Map([['plan', ['a', 'b']]]) } }),
        readRecord({ attributes: { __proto__: null } }),
      ],
      { by: ['tenant', 'user.plan'] },
    )
    expect(summaryOf(statistics)).toMatchObject({
      groups: [
        { values: { tenant: '7', 'user.plan': 'pro' }, count: 2 },
        { values: { tenant: 'true', 'user.plan': '[Array: 2 items]' }, count: 1 },
        { values: { tenant: null, 'user.plan': null }, count: 1 },
      ],
    })
  })

  it('keeps combinations of values apart that have the same text when they are joined', () => {
    const statistics = statisticsOf(
      [readRecord({ attributes: { a: 'x:y', b: 'z' } }), readRecord({ attributes: { a: 'x', b: 'y:z' } })],
      { by: ['a', 'b'] },
    )
    expect(statistics.groups.sorted()).toHaveLength(2)
  })

  it('counts the records of each interval that the caller chose', () => {
    const statistics = statisticsOf(
      [0, 30_000, 59_999, 60_000, 200_000].map((offset) => readRecord({ time: start - 3_000 + offset })),
      { interval: 60_000 },
    )
    expect(summaryOf(statistics)).toMatchObject({
      interval: 60_000,
      timelineStart: '2026-11-21T09:56:00.000Z',
      total: { timeline: [3, 1, 0, 1] },
      groups: [{ timeline: [3, 1, 0, 1] }],
    })
  })

  it('computes percentiles of all records and of each group', () => {
    const statistics = statisticsOf(
      Array.from({ length: 100 }, (_, index) =>
        readRecord({
          level: index < 50 ? 'info' : 'warn',
          attributes: { duration: index % 2 === 0 ? index + 1 : String(index + 1), bytes: 'unknown' },
        }),
      ),
      { by: ['level'], percentiles: ['duration', 'bytes'] },
    )
    const info = { count: 50, min: 1, max: 50, mean: 25.5, p50: 25, p90: 45, p95: 48, p99: 50 }
    expect(summaryOf(statistics)).toMatchObject({
      total: {
        percentiles: {
          duration: { count: 100, min: 1, max: 100, mean: 50.5, p50: 50, p90: 90, p95: 95, p99: 99 },
          bytes: null,
        },
      },
      groups: [
        { values: { level: 'info' }, percentiles: { duration: info } },
        { values: { level: 'warn' }, percentiles: { duration: { p50: 75 } } },
      ],
    })
  })

  it('counts only what matches', () => {
    const statistics = statisticsOf([readRecord({ level: 'warn' }), readRecord()], {
      where: ({ level, message }) => level === 'warn' || message === 'a line\0',
    })
    statistics.text(Buffer.from('a line\0\n'), origin)
    statistics.text(Buffer.from('another line\n'), origin)
    expect(statistics).toMatchObject({ total: { count: 1 }, textLines: 1, unmatched: 2 })
  })

  it('groups lines of text by template, apart from records with the same message', () => {
    const statistics = statisticsOf([readRecord({ message: 'port 8080', level: '' })], { by: ['level', 'template'] })
    statistics.text(Buffer.from('port 8081\n'), origin)
    statistics.text(Buffer.from('port 8082\r\n'), origin)
    expect(summaryOf(statistics)).toMatchObject({
      records: 1,
      textLines: 2,
      groups: [
        { values: { level: null, template: 'port <num>' }, isText: true, count: 2 },
        { values: { level: null, template: 'port <num>' }, count: 1 },
      ],
    })
  })

  it('counts the records of too many groups together', () => {
    const count = maxGroups + 5
    const records = Array.from({ length: count }, (_, index) => readRecord({ attributes: { id: index } }))
    const statistics = statisticsOf([...records, ...records], { by: ['id'] })
    expect(statistics.groups.sorted()).toHaveLength(maxGroups)
    expect(statistics.groups.ungrouped).toBe(10)
    expect(summaryOf(statistics, 3)).toMatchObject({ otherGroups: maxGroups - 3, otherCount: 2 * count - 6 })
  })

  it('counts the records of too many templates together', () => {
    const records = Array.from({ length: maxGroups + 5 }, (_, index) => readRecord({ message: `-${letters(index)}-` }))
    expect(statisticsOf(records, { by: ['template'] }).groups.ungrouped).toBeGreaterThanOrEqual(5)
  })

  it('groups a stack trace after a line of text with that line', () => {
    const statistics = statisticsOf([])
    const lines = [
      'TypeError: no price',
      '    at total (/app/cart.js:3:9)',
      '    at serve (/app/main.js:8:1)',
      'stopped',
    ]
    for (const [index, line] of lines.entries())
      statistics.text(Buffer.from(`${line}\n`), { ...origin, line: index + 1 })
    statistics.text(Buffer.from('    indented\n'), { ...origin, line: 9 })
    expect(summaryOf(statistics)).toMatchObject({
      textLines: 5,
      groups: [
        { values: { template: 'TypeError: no price' }, count: 1 },
        { values: { template: 'stopped' }, count: 1 },
        { values: { template: '    indented' }, count: 1 },
      ],
    })
  })
})
