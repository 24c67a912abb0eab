// Logs increasing numbers of records and attributes and prints the work, as `GrowthWork`.
import { openSync } from 'node:fs'
import { allocatedBy } from './heap.ts'
import { countWriteCalls } from './write-calls.ts'

/** The total work of a number of records with a number of attributes. */
export interface Point {
  readonly records: number
  readonly attributes: number
  readonly allocated: number
  readonly bytes: number
  readonly calls: number
}

/** The points by what increases. */
export interface GrowthWork {
  readonly records: readonly Point[]
  readonly attributes: readonly Point[]
  /** A logger whose allocations per record increase. */
  readonly uneven: readonly Point[]
}

const calls = countWriteCalls()
const { createLogger } = await import('../../../src/entries/index.ts')
const { fdExporter } = await import('../../../src/entries/exporters.ts')
const fd = openSync('/dev/null', 'w')
const plain = createLogger({ level: 'info', clock: () => 0, exporter: fdExporter({ fd, format: 'json' }) })
let logged = 0
/** Retains the array, so that its allocation cannot be optimized away. */
const retained: { array?: readonly number[] } = {}
const uneven = createLogger({
  level: 'info',
  clock: () => 0,
  exporter: fdExporter({ fd, format: 'json' }),
  enrich() {
    retained.array = Array.from({ length: logged++ / 2_000 }, Number)
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

/** Returns the cheapest of several rounds, because code is compiled at any time. */
async function points(sizes: readonly number[], pointAt: (size: number) => Promise<Point>): Promise<Point[]> {
  const cheapest: Point[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [index, size] of sizes.entries()) {
      const point = await pointAt(size)
      const best = cheapest[index]
      if (best === undefined || point.allocated < best.allocated) cheapest[index] = point
    }
  }
  return cheapest
}

async function pointOf(log: typeof plain, records: number, attributes: number): Promise<Point> {
  // Names and numbers of one length, so that the length of a record grows linearly with the number of attributes.
  const values = Object.fromEntries(
    Array.from({ length: attributes }, (_, index) => [`key${100 + index}`, 100 + index]),
  )
  const before = { ...calls }
  logged = 0
  const allocated = await allocatedBy(async () => {
    for (let seq = 0; seq < records; seq++) log.info('order placed', values)
    await log.flush()
  })
  return { records, attributes, allocated, bytes: calls.bytes - before.bytes, calls: calls.whole - before.whole }
}
