import { describe } from '@jest/globals'
import { seed, testRows } from './harness/process-bench.ts'
import { bursts, crowds, deaths, inFullSize } from './rows/of-processes.ts'

describe('what is lost of a burst is what the policy says, and is told', () => {
  testRows(bursts)
})

describe('what was written stays, in whole lines', () => {
  testRows(deaths(seed()))
})

describe('nothing is lost, torn or doubled', () => {
  testRows(crowds)
})

describe('the rows of processes in their full size', () => {
  testRows(inFullSize(seed()), 240_000)
})
