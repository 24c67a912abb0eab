import { expect } from '@jest/globals'
import { needs } from '../support/needs.ts'
import { fakeTimeLibrary } from './fake-clock.ts'
import { planOf } from './plan.ts'
import { runSoak } from './run.ts'
import { canFailWrites } from './write-faults.ts'

needs('a C compiler', canFailWrites())('some seconds of faults close their ledger (row 47)', async () => {
  const printed: string[] = []
  const { records, wrong } = await runSoak(planOf(4, 12_000), {
    recordsPerSecond: 300,
    print: (line) => printed.push(line),
  })
  expect(wrong).toEqual([])
  expect(records).toBeGreaterThan(2_000)
  expect(printed.join('\n')).toContain('calm for')
})

needs('libfaketime', fakeTimeLibrary() !== undefined)('clocks can be wrong', () => {
  expect(fakeTimeLibrary()).toContain('faketime')
})
