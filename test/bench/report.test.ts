import { describe, expect, test } from '@jest/globals'
import { pageText } from '../../bench/report/page.ts'
import type { Group } from '../../bench/report/group.ts'
import { circumstances, fast, groupOf, times, type Measured } from './report-groups.ts'

const draw = (...groups: readonly Group[]): Promise<string> =>
  pageText({ ...circumstances, planned: groups.length, groups })

/** Returns the text under a heading, up to the next heading of the same level. */
function sectionOf(page: string, heading: string): string {
  const [, section] = page.split(`\n## ${heading}\n`)
  return section?.split('\n## ')[0] ?? ''
}

/** Returns the cells of the rows that contain a text. */
const rowsWith = (text: string, page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes(text))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

const rates = (...requests: readonly number[]): Measured => ({ figures: { requests, cpuRequest: [9, 9, 9] } })

describe('the benchmark page', () => {
  test('the page has the ratios of each scenario in the table of all scenarios', async () => {
    const [row] = rowsWith('(#string)', sectionOf(await draw(fast), 'All scenarios'))
    expect(row).toEqual([
      '[A message and nothing else](#string)',
      'loop',
      '200 ns',
      '0.20 of pino-sync',
      '0.50 of pino-buffered',
      '4 of 4',
    ])
  })

  test('the page has the median, the minimum and the maximum of each figure, and of each ratio with its target', async () => {
    const section = sectionOf(await draw(fast), 'Scenarios')
    expect(rowsWith(' sluice ', section).at(-1)!.slice(0, 3)).toEqual(['file', 'sluice', '200 (180-240) ns'])
    expect(rowsWith('sluice / pino-sync', section)[0]!.slice(1, 3)).toEqual([
      'sluice / pino-sync',
      '0.20 (0.18-0.24), ≤ 0.20 met, but not in every run',
    ])
  })

  test('the page lists where other loggers are better, and whether in every run', async () => {
    const page = await draw(
      groupOf('string', 'null', {
        sluice: { figures: times(500, 500, 500) },
        'pino-sync': { figures: times(400, 400, 400) },
        'pino-buffered': { figures: times(450, 450, 550) },
      }),
    )
    const section = sectionOf(page, 'Where other loggers win')
    expect(section).toContain('Another logger is better in 6 of 6 comparisons.')
    expect(rowsWith('loop', section)).toEqual([
      ['[string](#string), null', 'pino-sync', 'loop', '1.25 (1.25-1.25)', ''],
      ['[string](#string), null', 'pino-buffered', 'loop', '1.11 (0.91-1.11)', 'not in every run'],
    ])
  })

  test('the page treats higher rates as better', async () => {
    const page = await draw(
      groupOf('http-fastify', 'file', {
        'sluice-default': rates(900, 900, 900),
        'pino-sync': rates(1_000, 1_000, 1_000),
      }),
    )
    expect(sectionOf(page, 'Where other loggers win')).toContain('Another logger is better in 1 of 2 comparisons.')
    expect(rowsWith('pino-sync', sectionOf(page, 'Where other loggers win'))[0]!.slice(1, 4)).toEqual([
      'pino-sync',
      'requests',
      '0.90 (0.90-0.90)',
    ])
    expect(rowsWith('(#http-fastify)', page)[0]![1]).toBe('requests ↑')
  })

  test('the page excludes the figures of a subject with a problem, and lists the problem', async () => {
    const page = await draw(
      groupOf('string', 'file', {
        sluice: { figures: times(200, 200, 200) },
        'pino-sync': { figures: times(100, 100, 100), problems: ['line 3: `cut\n| off'] },
        'pino-buffered': { figures: times(400, 400, 400) },
      }),
    )
    expect(sectionOf(page, 'Invalid results')).toContain("- string, file, pino-sync: `line 3: 'cut | off`")
    expect(rowsWith(' pino-sync ', sectionOf(page, 'Scenarios'))[0]!.slice(1, 4)).toEqual([
      'pino-sync',
      'INVALID',
      'INVALID',
    ])
    expect(sectionOf(page, 'Where other loggers win')).toContain('No other logger is better in any of 3 comparisons.')
    const summary = sectionOf(page, 'All scenarios')
    expect(rowsWith('(#string)', summary)[0]!.slice(3, 5)).toEqual(['-', '0.50 of pino-buffered'])
    expect(summary).toContain('2 of 2 targets for a release are met. 2 more could not be evaluated')
  })

  test('the page lists each missed target', async () => {
    const page = await draw(
      groupOf('disabled', 'null', {
        sluice: { figures: { loop: [6, 6, 6], loopAbove: [5, 5, 5] } },
        empty: { figures: { loop: [1, 1, 1] } },
      }),
    )
    expect(rowsWith('(#disabled)', sectionOf(page, 'Missed targets'))).toEqual([
      ['[disabled](#disabled), null', 'loop above an empty function', '-', '5.0 (5.0-5.0) ns', '≤ 3.0 ns', 'NOT MET'],
    ])
    expect(sectionOf(page, 'Where other loggers win').trim()).toBe('No other logger was measured.')
  })

  test('the page evaluates a target of another sluice subject by its own figures, and compares it with the rivals', async () => {
    const page = await draw(
      groupOf('http-fastify', 'file', {
        'sluice-default': rates(950, 950, 950),
        'sluice-http': rates(800, 800, 800),
        none: rates(1_000, 1_000, 1_000),
        'pino-http': rates(400, 400, 400),
      }),
    )
    expect(rowsWith('sluice-http / none', page).at(-1)!.slice(1, 3)).toEqual([
      'sluice-http / none',
      '0.80 (0.80-0.80), ≥ 0.92 NOT MET',
    ])
    expect(rowsWith('sluice-default / none', page)[0]![2]).toBe('0.95 (0.95-0.95), ≥ 0.92 met')
    expect(rowsWith('sluice-http / pino-http', page)[0]![2]).toBe('2.00 (2.00-2.00)')
    expect(rowsWith('sluice-http / sluice-default', page)).toEqual([])
    expect(rowsWith('(#http-fastify)', sectionOf(page, 'Missed targets'))).toEqual([
      [
        '[http-fastify](#http-fastify), file',
        'requests',
        'sluice-http / none',
        '0.80 (0.80-0.80)',
        '≥ 0.92',
        'NOT MET',
      ],
    ])
    expect(page).toContain('1 of 2 targets for a release are met.')
  })

  test('the page warns when the machine was disturbed, and when not all groups were measured', async () => {
    expect(await draw(fast)).not.toMatch(/\*\*(Noisy|Incomplete)/)
    const disturbed = groupOf('string', 'file', { sluice: { figures: times(1, 1, 1) } }, [10, 12, 20])
    const page = await pageText({ ...circumstances, planned: 80, groups: [disturbed] })
    expect(page).toContain(
      '2 of 3 runs were disturbed: calibration work took more than 1.15 times its best time, at most 2.00 times',
    )
    expect(page).toMatch(/\*\*Noisy/)
    expect(page).toContain('**Incomplete: 1 of 80 groups were measured in 61.5 minutes.**')
  })

  test('the page has the number of runs, and scenarios with another number of runs', async () => {
    const count = groupOf('count', 'file', { sluice: { figures: times(1, 1) } }, [10, 10])
    const page = await draw(fast, count)
    expect(page).toContain('Each subject ran 3 times unless noted')
    const [ofString, ofCount] = sectionOf(page, 'Scenarios').split('### count')
    expect(ofString).not.toContain('Each subject ran')
    expect(ofCount).toContain('Each subject ran 2 times.')
  })

  test('the page has the machine, the versions and the commit', async () => {
    const section = sectionOf(await draw(fast), 'Environment')
    const value = (name: string) => rowsWith(` ${name} `, section)[0]![1]
    expect(value('processor')).toBe('A 9000, 4 cores')
    expect(value('commit')).toBe('0123456789ab')
    expect(value('`pino`')).toBe('10.4.0')
    const dirty = await pageText({ ...circumstances, dirty: true, groups: [fast] })
    expect(dirty).toContain('0123456789ab, with uncommitted changes')
  })
})
