// Creates child loggers and prints what they allocate or retain, as `ChildLoggerWork`. Argument as JSON: which of the two is measured,
// because the first one needs a heap without collections.
import { createLogger } from '../../../src/entries/index.ts'
import { memoryExporter } from '../../../src/entries/exporters.ts'
import { allocatedBy, retainedMemory } from './heap.ts'

/** The allocated bytes per child, or the bytes that a million children leave on the heap. */
export type ChildLoggerWork = number

const rounds = 5
const perRound = 100_000
const million = 1_000_000

const log = createLogger({ level: 'info', exporter: memoryExporter({ maxRecords: 1 }) })
// Created in advance, because the allocations of callers do not count.
const attributes = { requestId: 'r-17', user: 'ann' }
export let last: unknown

console.log(JSON.stringify(JSON.parse(process.argv[2]!) === 'allocated' ? await allocated() : await left()))

/** Returns the lowest figure of several rounds, because code is compiled in the first ones. */
async function allocated(): Promise<ChildLoggerWork> {
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const bytes = await allocatedBy(() => {
      for (let i = 0; i < perRound; i++) last = log.child(attributes)
    })
    least = Math.min(least, bytes / perRound)
  }
  return least
}

async function left(): Promise<ChildLoggerWork> {
  for (let i = 0; i < perRound; i++) use(i)
  await log.flush()
  const before = await retainedMemory()
  for (let i = 0; i < million; i++) use(i)
  await log.flush()
  last = undefined
  return (await retainedMemory()).heap - before.heap
}

/** Creates a child as a server does, with separate values, and logs with some of them. */
function use(i: number): void {
  const child = log.child({ requestId: `r-${i}`, user: `u-${i % 100}` })
  if (i % 10 === 0) child.info('served')
  last = child
}
