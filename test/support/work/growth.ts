// Logs more and more records, and records of more and more attributes, and says what that took. Prints `GrowthWork`.
import { openSync } from 'node:fs'
import { allocatedBy } from './heap.ts'
import { countWriteCalls } from './write-calls.ts'

/** What so many records of so many attributes took, all together. */
export interface Point {
  readonly records: number
  readonly attributes: number
  readonly allocated: number
  readonly bytes: number
  readonly calls: number
}

/** Points by what grows. */
export interface GrowthWork {
  readonly records: readonly Point[]
  readonly attributes: readonly Point[]
  /** A logger that allocates more with every two thousand records. */
  readonly uneven: readonly Point[]
}

const calls = countWriteCalls()
const { createLogger } = await import('../../../src/entries/index.ts')
const { fdExporter } = await import('../../../src/entries/exporters.ts')
const fd = openSync('/dev/null', 'w')
const plain = createLogger({ level: 'info', clock: () => 0, exporter: fdExporter({ fd, format: 'json' }) })
let logged = 0
/** An array that nobody keeps need not be made. */
const held: { array?: readonly number[] } = {}
const uneven = createLogger({
  level: 'info',
  clock: () => 0,
  exporter: fdExporter({ fd, format: 'json' }),
  enrich() {
    held.array = Array.from({ length: logged++ / 2_000 }, Number)
    return {}
  },
})

const rounds = 4
const counts = [1_000, 10_000, 100_000]
const sizes = [1, 8, 64]
const work: GrowthWork = {
  records: await points(counts, (records) => pointOf(plain, records, 3)),
  attributes: await points(sizes, (attributes) => pointOf(plain, 2_000, attributes)),
  uneven: await points(counts, (records) => pointOf(uneven, records, 3)),
}
console.log(JSON.stringify(work))

/** The cheapest of some rounds: what a round allocates besides is compiled code, which comes when it comes. */
async function points(sizes: readonly number[], pointAt: (size: number) => Promise<Point>): Promise<Point[]> {
  const cheapest: Point[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [index, size] of sizes.entries()) {
      const point = await pointAt(size)
      const known = cheapest[index]
      if (known === undefined || point.allocated < known.allocated) cheapest[index] = point
    }
  }
  return cheapest
}

async function pointOf(log: typeof plain, records: number, attributes: number): Promise<Point> {
  // Numbers and names of one length: a record of n attributes is n times as long, but for what all have.
  const said = Object.fromEntries(Array.from({ length: attributes }, (_, index) => [`key${100 + index}`, 100 + index]))
  const before = { ...calls }
  logged = 0
  const allocated = await allocatedBy(async () => {
    for (let seq = 0; seq < records; seq++) log.info('order placed', said)
    await log.flush()
  })
  return { records, attributes, allocated, bytes: calls.bytes - before.bytes, calls: calls.whole - before.whole }
}
