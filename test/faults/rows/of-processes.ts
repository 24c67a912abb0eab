import { aborted, heapFull, outOfMemory } from './abort.ts'
import { killedAtPoints, killedInsideLine, killLoop } from './kill-loop.ts'
import * as overload from './overload.ts'
import { pidOne } from './pid-one.ts'
import type { Row } from './row.ts'
import * as shared from './shared-sinks.ts'
import * as threads from './threads.ts'

const MiB = 1_048_576
const million = 1_000_000
const dropping = ['dropLowest', 'dropNewest', 'dropOldest'] as const

/** Bursts in a size that each test run can make. */
export const bursts: readonly Row[] = [
  overload.millionToStalledPipe('dropLowest', 32 * MiB),
  overload.burstThatWaits(50_000),
  overload.burstToFile('dropLowest', 50_000),
  overload.burstToSlowDisk('dropLowest', 100_000),
  overload.burstToSlowDisk('block', 10_000),
  overload.memoryOfFullQueue('dropLowest', 16 * MiB),
  overload.stalledReader(3_000),
]

/** Sudden deaths; a seed says when. */
export function deaths(seed: number): readonly Row[] {
  return [killLoop(15, seed), killedAtPoints, killedInsideLine, aborted, heapFull, outOfMemory]
}

/** Threads and processes that share sinks, and PID 1. */
export const crowds: readonly Row[] = [
  threads.threadsEnd,
  threads.threadsExitStalled,
  threads.threadsTerminated,
  threads.threadsOfEndedProcess,
  threads.threadsOnOnePipe,
  threads.threadsLeak(5, 4),
  ...Object.values(shared),
  pidOne,
]

/** What any logger can be asked for. The others ask for a ledger, or make their faults where we are known to write. */
export function ofAnyLogger(seed: number): readonly Row[] {
  const bursts = [overload.burstThatWaits(50_000), overload.burstToFile('dropLowest', 50_000)]
  const ends = [killLoop(15, seed), aborted, heapFull, outOfMemory]
  return [...bursts, ...ends, threads.threadsEnd, threads.threadsOnOnePipe, ...Object.values(shared)]
}

/** What takes minutes. */
export function inFullSize(seed: number): readonly Row[] {
  return [
    killLoop(200, seed),
    threads.threadsLeak(5, 10),
    overload.stalledReader(60_000),
    overload.millionToStalledPipe('dropLowest', MiB),
    overload.millionToStalledPipe('dropNewest', 16 * MiB),
    overload.millionToStalledPipe('dropOldest', 16 * MiB),
    overload.burstThatWaits(million),
    ...([...dropping, 'block'] as const).map((onFull) => overload.burstToFile(onFull, million)),
    ...dropping.map((onFull) => overload.burstToSlowDisk(onFull, million)),
    overload.burstToSlowDisk('block', 100_000),
    ...dropping.flatMap((onFull) => [1, 16, 64].map((size) => overload.memoryOfFullQueue(onFull, size * MiB))),
  ]
}
