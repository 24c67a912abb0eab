import { expect, test } from '@jest/globals'
import { readCommandLine } from '../../bench/command-line.ts'
import { planOf, type Match } from '../../bench/plan.ts'

const planned = (...args: readonly string[]): Match[] => planOf(readCommandLine(args))

/** How often each subject of a scenario would run. */
const runsOf = (scenario: string, ...args: readonly string[]): number[] => [
  ...new Set(planned('--scenario', scenario, ...args).map(({ runs }) => runs)),
]

test('a question is asked as often as it wants in the full form, and never more often than the command line says', () => {
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
