import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from '../../../src/encode/pretty/width.ts'
import { Statistics } from '../../../src/cli/stats/statistics.ts'
import { summaryText } from '../../../src/cli/stats/summary-text.ts'
import type { SummaryLayout } from '../../../src/cli/stats/summary-view.ts'
import { readRecord } from '../support/read-records.ts'

const start = Date.UTC(2026, 10, 21, 9, 56, 0)
const origin = { file: 'app.log', line: 1, container: undefined, stream: undefined }

function textOf(
  records: readonly ReturnType<typeof readRecord>[],
  {
    by = ['level', 'service', 'template'],
    percentiles = [] as string[],
    ...layout
  }: Partial<SummaryLayout> & {
    by?: string[]
    percentiles?: string[]
  } = {},
): string {
  const statistics = new Statistics({ by, percentiles })
  for (const record of records) statistics.record(record)
  statistics.text(Buffer.from('listening on port 8080\n'), origin)
  return summaryText(statistics, { columns: 110, usesColors: false, time: 'utc', top: 20, ...layout })
}

/** Returns the summary of a record in which every text is one of two. */
function hostileSummary(one: string, other: string): string {
  const record = readRecord({
    message: one,
    level: other,
    time: start,
    attributes: { [other]: 1, key: one, dropped: 1, by_reason: new Map([[one, 1]]) },
    eventName: 'sluice.records_dropped',
    resource: { 'service.name': other },
  })
  return textOf([record], { by: ['level', 'service', 'template', 'key', other], percentiles: [other, 'key'] })
}

function visible(text: string): string {
  return text.replaceAll(/[^a7 ]/g, 'x')
}

const records = Array.from({ length: 60 }, (_, index) =>
  readRecord({
    level: index % 10 === 0 ? 'error' : 'info',
    message: index % 10 === 0 ? `order ${index} failed: "no route"` : `order ${index} placed`,
    time: start + index * 1_000,
    attributes: { duration: index / 1_000 },
    resource: { 'service.name': 'shop' },
  }),
)

describe('summaryText', () => {
  it('shows tables with aligned columns', () => {
    expect(textOf(records, { percentiles: ['duration'] })).toBe(`60 records (sluice), 1 line of text
2026-11-21 09:56:00 to 09:56:59, 59.0s, 1.0/s
████████████  5s a bar

LEVEL  COUNT     %      RATE     FIRST      LAST  TIMELINE
info      54  90.0  54.9/min  09:56:01  09:56:59  ▇█▇█▇█▇█▇█▇█
error      6  10.0   6.1/min  09:56:00  09:56:50  █ █ █ █ █ █

LEVEL   SERVICE  COUNT     %      RATE     FIRST      LAST  TIMELINE      MESSAGE
info    shop        54  88.5  54.9/min  09:56:01  09:56:59  ▇█▇█▇█▇█▇█▇█  order <num> placed
error   shop         6   9.8   6.1/min  09:56:00  09:56:50  █ █ █ █ █ █   order <num> failed: <quoted>
(text)  -            1   1.6                                              listening on port <num>

duration
LEVEL  SERVICE  VALUES    MIN    MEAN    P50    P90    P95    P99    MAX  MESSAGE
all                 60      0  0.0295  0.029  0.053  0.056  0.059  0.059
info   shop         54  0.001    0.03  0.029  0.054  0.057  0.059  0.059  order <num> placed
error  shop          6      0   0.025   0.02   0.05   0.05   0.05   0.05  order <num> failed: <quoted>

No record reports dropped or cut data.
`)
  })

  it('counts the records of each interval that the caller chose', () => {
    const statistics = new Statistics({ by: ['level'], percentiles: [], interval: 20_000 })
    for (const record of records) statistics.record(record)
    expect(summaryText(statistics, { columns: 60, usesColors: false, time: 'utc', top: 20 })).toContain(`
Records for each 20s
FROM      COUNT  INFO  ERROR
09:56:00     20    18      2  ████████████████████
09:56:20     20    18      2  ████████████████████
09:56:40     20    18      2  ████████████████████
`)
  })

  it('shows a number of groups, and the sum of the others', () => {
    const text = textOf(records, { by: ['level'], top: 1 })
    expect(text).toContain('\nand 1 more group with 6 in all; --top 0 shows all groups\n')
    expect(textOf(records, { by: ['level'], top: 0 })).not.toContain('more group')
  })

  it('shows dates if the records are of several days', () => {
    const days = [0, 1, 2].map((day) => readRecord({ time: start + day * 86_400_000 }))
    expect(textOf(days)).toContain('11-21 09:56  11-23 09:56')
  })

  it.each([
    ['iso', '2026-11-21T09:56:00.000Z'],
    ['relative', '+59.000s'],
    ['Asia/Tokyo', '18:56:00'],
  ])('shows times in the format %s', (time, expected) => {
    expect(textOf(records, { time, columns: 200 })).toContain(expected)
  })

  it('truncates nothing without a terminal', () => {
    const message = 'word '.repeat(70).trim()
    expect(textOf([readRecord({ message, time: start }), ...records], { columns: Infinity })).toContain(message)
    expect(textOf([readRecord({ message, time: start }), ...records], { columns: 200 })).not.toContain(message)
  })

  it('shows that there are no records', () => {
    const statistics = new Statistics({ by: ['level'], percentiles: ['duration'] })
    const layout = { columns: 80, usesColors: true, time: 'utc', top: 20 }
    expect(summaryText(statistics, layout)).toContain('0 records')
  })

  it('shows that an attribute is not a number', () => {
    expect(textOf(records, { percentiles: ['nothing'] })).toContain('nothing is not a number in any record')
  })

  it('is not wider than the terminal from 60 columns on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), fc.array(fc.string({ unit: 'grapheme' })), (columns, texts) => {
        const more = texts.map((message) =>
          readRecord({ message, level: 'warn', resource: { 'service.name': message } }),
        )
        const text = textOf([...records, ...more], { columns, percentiles: ['duration'], top: 0 })
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
      }),
      { numRuns: 50 },
    )
  })

  it('contains no control characters of the data', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', ' ', '\u001b[31m', '\u009b', '\u0007', '\u202e', '\n', '\r', '\0', '7'),
    })
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const text = hostileSummary(one, other)
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
        // A line end in the data adds no line.
        expect(text.split('\n')).toHaveLength(hostileSummary(visible(one), visible(other)).split('\n').length)
      }),
    )
  })

  it('colors levels and headings', () => {
    const text = textOf(records, { usesColors: true })
    expect(text).toContain('\u001b[1;31merror\u001b[0m')
    expect(stripVTControlCharacters(text)).toBe(textOf(records))
  })
})
