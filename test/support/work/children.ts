// Creates child loggers and prints what they allocate and leave, as `ChildWork`. Argument as JSON: which of the two is measured, because
// the first one needs a heap in which nothing is collected.
import { createLogger } from '../../../src/entries/index.ts'
import { memoryExporter } from '../../../src/entries/exporters.ts'
import { allocatedBy, kept } from './heap.ts'

/** Bytes for each child that is created, and bytes that a million of them leave on the heap. */
export type ChildWork = number

const rounds = 5
const perRound = 100_000
const million = 1_000_000

const log = createLogger({ level: 'info', exporter: memoryExporter({ maxRecords: 1 }) })
// Created before: what callers allocate does not count.
const attributes = { requestId: 'r-17', user: 'ann' }
export let last: unknown

console.log(JSON.stringify(JSON.parse(process.argv[2]!) === 'allocated' ? await allocated() : await left()))

/** In the first rounds code is compiled; the lowest figure counts. */
async function allocated(): Promise<ChildWork> {
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const bytes = await allocatedBy(() => {
      for (let i = 0; i < perRound; i++) last = log.child(attributes)
    })
    least = Math.min(least, bytes / perRound)
  }
  return least
}

async function left(): Promise<ChildWork> {
  for (let i = 0; i < perRound; i++) use(i)
  await log.flush()
  const before = await kept()
  for (let i = 0; i < million; i++) use(i)
  await log.flush()
  last = undefined
  return (await kept()).heap - before.heap
}

/** As a server does: each child has values of its own, and some of them log. */
function use(i: number): void {
  const child = log.child({ requestId: `r-${i}`, user: `u-${i % 100}` })
  if (i % 10 === 0) child.info('served')
  last = child
}
