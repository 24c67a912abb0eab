import { expect, test } from '@jest/globals'
import { readCommandLine } from '../../bench/command-line.ts'
import { planOf, type Measurement } from '../../bench/plan.ts'
import { scenarioNames, scenarioOf } from '../../bench/scenarios/index.ts'
import type { Variant } from '../../bench/scenarios/scenario.ts'
import { summaryCharts } from '../../bench/summary.ts'

const planned = (...args: readonly string[]): Measurement[] => planOf(readCommandLine(args))

/** Returns how often each subject of a scenario would run. */
const runsOf = (scenario: string, ...args: readonly string[]): number[] => [
  ...new Set(planned('--scenario', scenario, ...args).map(({ runs }) => runs)),
]

test('a scenario has its own number of runs in the full benchmark, up to the limit of the command line', () => {
  expect(runsOf('object')).toEqual([3])
  expect(runsOf('object', '--full')).toEqual([5])
  expect(runsOf('http-fastify')).toEqual([3])
  expect(runsOf('http-fastify', '--full')).toEqual([9])
  expect(runsOf('http-fastify', '--full', '--runs', '2')).toEqual([2])
  expect(runsOf('count')).toEqual([2])
  expect(runsOf('count', '--full')).toEqual([2])
  expect(runsOf('count', '--runs', '1')).toEqual([1])
  expect(runsOf('count', '--runs', '9')).toEqual([2])
  expect(runsOf('object', '--runs', '9')).toEqual([9])
})

const named = (all: readonly { scenario: string; variant: string }[]): string[] =>
  all.map(({ scenario, variant }) => `${scenario} ${variant}`)

test('without options, the plan is the summary: each row once, with all of its subjects', () => {
  const plan = planned()
  const rows = summaryCharts.flatMap((chart) => chart.rows)
  expect(named(plan)).toEqual([...new Set(named(rows))])
  for (const { scenario, variant, subjects } of rows) {
    const planned = plan.find((one) => one.scenario === scenario && one.variant === variant)!
    expect(planned.subjects).toEqual(expect.arrayContaining([...subjects]))
  }
})

test('the full benchmark also measures each row of the summary', () => {
  const full = planned('--full')
  for (const { scenario, variant, subjects } of summaryCharts.flatMap((chart) => chart.rows)) {
    const planned = full.find((one) => one.scenario === scenario && one.variant === variant)!
    expect(planned.subjects).toEqual(expect.arrayContaining([...subjects]))
  }
})

test('a difference is measured together with its baseline', () => {
  const [plan] = planned('--scenario', 'disabled', '--variant', 'null', '--subject', 'pino-sync')
  expect(plan!.subjects).toEqual(['sluice', 'pino-sync', 'empty'])
  const [disabled] = planned('--scenario', 'disabled', '--variant', 'fewer')
  expect(disabled!.subjects).toContain('empty')
})

test('each target names variants, figures and subjects that its scenario has', () => {
  for (const name of scenarioNames) {
    const { targets, variants, figures, ours = 'sluice' } = scenarioOf(name)
    for (const { variants: named, figures: limited, rival, subject = ours } of targets) {
      for (const variant of named) {
        const { subjects, more = [] } = (variants as Readonly<Record<string, Variant>>)[variant]!
        expect([...subjects, ...more]).toEqual(
          expect.arrayContaining([subject, ...(rival === undefined ? [] : [rival])]),
        )
      }
      expect(figures).toEqual(expect.arrayContaining([...limited]))
    }
  }
})
