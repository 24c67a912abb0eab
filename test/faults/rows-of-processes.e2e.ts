import { describe } from '@jest/globals'
import { testRows } from './harness/process-bench.ts'
import { killLoop } from './rows/kill-loop.ts'
import * as overload from './rows/overload.ts'
import { threadsLeak } from './rows/threads.ts'

const MiB = 1_048_576
const million = 1_000_000
/** `FAULTS_SEED` repeats a run. */
const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
process.stderr.write(`FAULTS_SEED=${seed}\n`)
const dropping = ['dropLowest', 'dropNewest', 'dropOldest'] as const

describe('the rows of processes in their full size', () => {
  testRows(
    [
      killLoop(200, seed),
      threadsLeak(5, 10),
      overload.stalledReader(60_000),
      overload.burstThatWaits(million),
      overload.burstToFile(million),
      ...dropping.map((onFull) => overload.burstToSlowDisk(onFull, million)),
      overload.burstToSlowDisk('block', 100_000),
      ...dropping.flatMap((onFull) => [1, 16, 64].map((size) => overload.memoryOfFullQueue(onFull, size * MiB))),
    ],
    240_000,
  )
})
