import { expect, test } from '@jest/globals'
import { chartOf } from '../../bench/report/charts.ts'
import { circumstances, groupOf, times, type Measured } from './report-groups.ts'
import { pageText } from '../../bench/report/page.ts'

interface Drawn {
  readonly xAxis: { readonly type: string }
  readonly yAxis: readonly { readonly data: readonly { readonly value: string }[] }[]
  readonly series: readonly { readonly name: string; readonly data: readonly (readonly [number, number])[] }[]
}

const rate = (value: number): Measured => ({ figures: { requests: [value, value, value] } })

const drawn = (groups: Parameters<typeof chartOf>[0]): Drawn => chartOf(groups)!.option as Drawn

test('bars are sorted with the best on top, by variant, without subjects with invalid figures', () => {
  const groups = [
    groupOf('string', 'null', {
      sluice: { figures: times(300, 300, 300) },
      'pino-sync': { figures: times(900, 900, 900) },
      'pino-buffered': { figures: times(200, 200, 200) },
    }),
    groupOf('string', 'file', {
      sluice: { figures: times(300, 300, 300) },
      'pino-sync': { figures: times(100, 100, 100), problems: ['lost'] },
    }),
  ]
  expect(drawn(groups).yAxis.map(({ data }) => data.map(({ value }) => value))).toEqual([
    ['pino-buffered', 'sluice', 'pino-sync'],
    ['sluice'],
  ])
})

test('bars of a rate have the highest on top', () => {
  const group = groupOf('http-fastify', 'file', { sluice: rate(900), 'pino-sync': rate(700), none: rate(1_000) })
  expect(drawn([group]).yAxis[0]!.data.map(({ value }) => value)).toEqual(['none', 'sluice', 'pino-sync'])
})

test('a growing size is drawn as lines, on a logarithmic scale over decades', () => {
  const groups = ['1000', '100000'].map((variant, index) =>
    groupOf('growth-records', variant, {
      sluice: { figures: times(300, 300, 300 + index) },
      'pino-sync': { figures: times(900, 900, 900) },
    }),
  )
  const { xAxis, series } = drawn(groups)
  expect(xAxis.type).toBe('log')
  expect(series.map(({ name, data }) => [name, data])).toEqual([
    [
      'sluice',
      [
        [1_000, 300],
        [100_000, 300],
      ],
    ],
    [
      'pino-sync',
      [
        [1_000, 900],
        [100_000, 900],
      ],
    ],
  ])
})

test('a scale that begins at zero is not logarithmic', () => {
  const groups = ['0', '128'].map((variant) =>
    groupOf('growth-attributes', variant, { sluice: { figures: times(300, 300, 300) } }),
  )
  expect(drawn(groups).xAxis.type).toBe('value')
})

test('a scenario without a rival has no chart, and the page links to none', async () => {
  const groups = [groupOf('string', 'file', { sluice: { figures: times(300, 300, 300) } })]
  expect(chartOf(groups)).toBeUndefined()
  expect(await pageText({ ...circumstances, groups })).not.toContain('.svg')
})
