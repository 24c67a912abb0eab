import { describe } from '@jest/globals'
import { testRows } from './harness/test-rows.ts'
import { bursts, sharedSinks, abruptEnds, longRows } from './rows/of-processes.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'

describe('bursts', () => {
  testRows('the dropped records match the overflow policy and are reported', bursts)
})

describe('abrupt exits', () => {
  testRows('written records are preserved in complete lines', abruptEnds(seed))
})

describe('shared sinks', () => {
  testRows('no record is lost, torn or duplicated', sharedSinks)
})

if (runs > 1) {
  describe('long rows', () => {
    testRows('all records are accounted for', longRows(seed), 240_000)
  })
}
