import { aborted, heapFull, outOfMemory } from './abort.ts'
import { killedAtPoints, killedInsideLine, killLoop } from './kill-loop.ts'
import * as overload from './overload.ts'
import { pidOne } from './pid-one.ts'
import type { FaultRow } from './row.ts'
import * as shared from './shared-sinks.ts'
import * as threads from './threads.ts'

const MiB = 1_048_576
const million = 1_000_000
const dropping = ['dropLowest', 'dropNewest', 'dropOldest'] as const

/** Bursts with each overflow policy. */
export const bursts: readonly FaultRow[] = [
  ...dropping.map((onFull) => overload.millionRecordsToStalledPipe(onFull, 16 * MiB)),
  overload.blockingBurst(50_000),
  ...([...dropping, 'block'] as const).map((onFull) => overload.burstToFile(onFull, 50_000)),
  ...dropping.map((onFull) => overload.burstToSlowDisk(onFull, 100_000)),
  overload.burstToSlowDisk('block', 10_000),
  ...dropping.map((onFull) => overload.memoryOfFullQueue(onFull, 16 * MiB)),
  overload.stalledReader(3_000),
]

/** Abrupt exits, at times that depend on a seed. */
export function abruptEnds(seed: number): readonly FaultRow[] {
  return [killLoop(40, seed), killedAtPoints, killedInsideLine, aborted, heapFull, outOfMemory]
}

/** Threads and processes that share sinks, and PID 1. */
export const sharedSinks: readonly FaultRow[] = [
  threads.threadsEnd,
  threads.threadsExitStalled,
  threads.threadsTerminated,
  threads.threadsOfEndedProcess,
  threads.threadsOnOnePipe,
  threads.threadsLeak(5, 4),
  ...Object.values(shared),
  pidOne,
]

/** The rows for any logger. The others need delivery statistics, or inject faults into writes of sluice. */
export function rowsForAnyLogger(seed: number): readonly FaultRow[] {
  const bursts = [overload.blockingBurst(50_000), overload.burstToFile('dropLowest', 50_000)]
  const ends = [killLoop(15, seed), aborted, heapFull, outOfMemory]
  return [...bursts, ...ends, threads.threadsEnd, threads.threadsOnOnePipe, ...Object.values(shared)]
}

/** More and longer runs of rows, which take ten minutes. */
export function longRows(seed: number): readonly FaultRow[] {
  return [
    killLoop(200, seed),
    threads.threadsLeak(5, 10),
    overload.stalledReader(60_000),
    overload.millionRecordsToStalledPipe('dropLowest', MiB),
    overload.blockingBurst(million),
    ...([...dropping, 'block'] as const).map((onFull) => overload.burstToFile(onFull, million)),
    ...dropping.map((onFull) => overload.burstToSlowDisk(onFull, million)),
    overload.burstToSlowDisk('block', 100_000),
    ...dropping.flatMap((onFull) => [1, 64].map((size) => overload.memoryOfFullQueue(onFull, size * MiB))),
  ]
}
