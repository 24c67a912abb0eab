import { expect } from '@jest/globals'
import { needs } from '../support/needs.ts'
import { planOf } from './plan.ts'
import { runSoak } from './run.ts'
import { canFailWrites } from './write-faults.ts'

// Fault rows: 47
needs('a C compiler', canFailWrites())('all records are accounted for after some seconds of faults', async () => {
  const printed: string[] = []
  const print = (line: string): void => void printed.push(line)
  const { records, wrong } = await runSoak(planOf(4, 9_000), { recordsPerSecond: 300, print })
  expect(wrong).toEqual([])
  expect(records).toBeGreaterThan(1_500)
  expect(printed.join('\n')).toContain('calm for')
})
