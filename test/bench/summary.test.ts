import { describe, expect, test } from '@jest/globals'
import { pageText } from '../../bench/report/page.ts'
import { summaryText } from '../../bench/report/print-summary.ts'
import { summaryChart } from '../../bench/report/summary-rows.ts'
import { withDifferences } from '../../bench/report/differences.ts'
import { summaryCharts } from '../../bench/summary.ts'
import { circumstances, groupOf, type Measured } from './report-groups.ts'

const cpu = (...values: readonly number[]): Measured => ({ figures: { cpu: values } })
const above = (...values: readonly number[]): Measured => ({ figures: { cpuAbove: values } })

const inLoop = groupOf('request-child', 'two', {
  sluice: cpu(900, 1_000, 1_100),
  'pino-sync': cpu(2_000, 2_000, 2_000),
  'pino-buffered': cpu(1_500, 1_500, 1_500),
})
const inFastify = groupOf('http-child', 'fastify', {
  'sluice-default': above(6, 6, 6),
  'pino-sync': above(10, 10, 10),
  'pino-buffered': above(4, 4, 4),
})

const draw = async (...groups: Parameters<typeof summaryText>[0]): Promise<string> => {
  const page = await pageText({ ...circumstances, planned: groups.length, groups })
  return page.split('\n## Summary\n')[1]?.split('\n## ')[0] ?? ''
}

describe('the summary of the page', () => {
  test('the summary has ratios with their spread, and the better rivals', async () => {
    expect(await draw(inLoop, inFastify)).toContain(
      'takes 0.50 (0.45 to 0.55) of the CPU time of pino in a loop and 0.60 (0.60 to 0.60) in a fastify server, above the same' +
        ' server without logging. **Better than sluice:** pino with minLength: 4096, in a fastify server (4.0 µs, sluice 6.0 µs).',
    )
  })

  test('the summary states when no rival is better', async () => {
    expect(await draw(inLoop)).toContain('in a loop. No measured logger is better.')
  })

  test('the summary omits charts without measurements, and is omitted without charts', async () => {
    expect(await draw(inLoop)).not.toContain('summary-memory.svg')
    expect(await draw(groupOf('string', 'file', { sluice: cpu(1, 1, 1) }))).toBe('')
  })

  test('the summary omits a row whose sluice figures are invalid', async () => {
    const lost = groupOf('http-child', 'fastify', {
      'sluice-default': { ...above(1, 1, 1), problems: ['3 lines for 4 records'] },
      'pino-sync': above(10, 10, 10),
    })
    expect(await draw(inLoop, lost)).not.toContain('fastify server')
  })

  test('the summary compares values for memory and blocks', async () => {
    const stalled = groupOf('paced', 'stalled-pipe', {
      'sluice-block': { figures: { block: [5, 5, 5], memory: [7, 7, 8] } },
      'pino-async': { figures: { block: [4, 4, 4], memory: [20, 21, 22] } },
    })
    expect(await draw(stalled)).toContain(
      'the event loop is blocked for at most 5.0 (5.0 to 5.0) ms, compared with 4.0 (4.0 to 4.0) ms for pino with sync: false, and' +
        ' the resident memory increases by 7.0 (7.0 to 8.0) MB, compared with 21 (20 to 22) MB for pino with sync: false.' +
        ' **Better than sluice:** pino with sync: false, in the longest block (4.0 ms, sluice 5.0 ms).',
    )
  })
})

test('the figure of a request is the sum of its two records', () => {
  const chart = summaryChart(summaryCharts[0]!, [inLoop])
  const { series } = chart!.option as { series: readonly { data: readonly { value: number }[] }[] }
  expect(series[0]!.data.map(({ value }) => value)).toEqual([2_000, 3_000, 4_000])
})

test('the compact table has sluice, the main rival, the ratio and the better rivals, and reports invalid figures', () => {
  const broken = groupOf('object', 'file', {
    sluice: { figures: { loop: [1, 1, 1] }, problems: ['5 lines for 6 records'] },
  })
  const text = summaryText([inLoop, inFastify, broken])
  expect(text).toMatch(/requests in a loop +2000 ns +pino 4000 ns +0\.50 \(0\.45-0\.55\) +-\n/)
  expect(text).toMatch(
    /without logging +6\.0 µs +pino 10 µs +0\.60 \(0\.60-0\.60\) +pino with minLength: 4096 4\.0 µs\n/,
  )
  expect(text).toContain('INVALID, object, file, sluice: 5 lines for 6 records')
  expect(text).not.toContain('Time of a call')
})

test('a difference is calculated from runs of the same round', () => {
  const { results } = groupOf('disabled', 'null', {
    sluice: { figures: { loop: [5, 9, 7] } },
    empty: { figures: { loop: [2, 3, NaN] } },
  })
  const [ours, empty] = withDifferences(results, { figure: 'loopAbove', of: 'loop', baseline: 'empty' })
  expect(ours!.runs.map(({ figures }) => figures.loopAbove)).toEqual([3, 6, NaN])
  expect(empty!.runs.map(({ figures }) => figures.loopAbove)).toEqual([undefined, undefined, undefined])
})
