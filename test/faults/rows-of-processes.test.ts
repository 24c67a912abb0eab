import { describe } from '@jest/globals'
import { testRows } from './harness/process-bench.ts'
import * as abort from './rows/abort.ts'
import { killedAtPoints, killedInsideLine, killLoop } from './rows/kill-loop.ts'
import * as overload from './rows/overload.ts'
import { pidOne } from './rows/pid-one.ts'
import * as shared from './rows/shared-sinks.ts'
import * as threads from './rows/threads.ts'

const MiB = 1_048_576
/** `FAULTS_SEED` repeats a run. */
const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
process.stderr.write(`FAULTS_SEED=${seed}\n`)

describe('what is lost of a burst is what the policy says, and is told', () => {
  testRows([
    overload.millionToStalledPipe('dropLowest', 32 * MiB),
    overload.millionToStalledPipe('dropLowest', MiB),
    overload.millionToStalledPipe('dropNewest', 16 * MiB),
    overload.millionToStalledPipe('dropOldest', 16 * MiB),
    overload.burstThatWaits(50_000),
    overload.burstToFile(100_000),
    overload.burstToSlowDisk('dropLowest', 100_000),
    overload.burstToSlowDisk('block', 10_000),
    overload.memoryOfFullQueue('dropLowest', 16 * MiB),
    overload.stalledReader(3_000),
  ])
})

describe('what was written stays, in whole lines', () => {
  testRows([killLoop(40, seed), killedAtPoints, killedInsideLine, ...Object.values(abort)])
})

describe('nothing is lost, torn or doubled', () => {
  const { threadsLeak, ...others } = threads
  testRows([...Object.values(others), threadsLeak(5, 4), ...Object.values(shared), pidOne])
})
