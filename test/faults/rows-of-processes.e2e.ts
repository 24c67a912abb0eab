import { describe } from '@jest/globals'
import { seed, testRows } from './harness/process-bench.ts'
import { inFullSize } from './rows/of-processes.ts'

describe('the rows of processes in their full size', () => {
  testRows(inFullSize(seed()), 240_000)
})
