import type { Sample } from './messages.ts'

const mebibyte = 1024 * 1024
/** Fewer samples than this say nothing. */
const FEWEST = 6

/** What of a process grew although nothing was wrong any more, in sentences. `samples`: of calm moments, in order. */
export function growthOf(samples: readonly Sample[]): string[] | undefined {
  if (samples.length < FEWEST) return undefined
  const third = Math.floor(samples.length / 3)
  const first = samples.slice(0, third)
  const last = samples.slice(-third)
  const limits: readonly (readonly [
    what: string,
    of: (sample: Sample) => number,
    allowed: (before: number) => number,
  ])[] = [
    // What is left after a collection is what somebody holds.
    ['bytes of heap', ({ heapUsed }) => heapUsed, (before) => before * 1.1 + 4 * mebibyte],
    ['bytes outside of the heap', ({ external }) => external, (before) => before * 1.1 + 4 * mebibyte],
    // The allocator of what is not V8's gives back what it likes: in the first minutes it comes to some 60 MiB, and stays there.
    ['bytes of RSS', ({ rss }) => rss, (before) => before * 1.25 + 64 * mebibyte],
    // Connections that are kept or not, and a writer process that has just died.
    ['descriptors', ({ fds }) => fds, (before) => before + 4],
    ['timers and handles', ({ resources }) => total(lasting(resources)), (before) => before + 4],
    ['listeners', ({ listeners }) => total(listeners), (before) => before],
  ]
  return limits.flatMap(([what, of, allowed]) => {
    const before = median(first.map(of))
    const after = median(last.map(of))
    return after <= allowed(before) ? [] : [`${what} grew from ${before} to ${after}`]
  })
}

/** What a process holds, as text. */
export function heldText(sample: Sample): string {
  const { rss, heapTotal, heapUsed, external, arrayBuffers, fds, resources, listeners } = sample
  const memory = Object.entries({ rss, heapTotal, heapUsed, external, arrayBuffers })
  const counts = Object.entries({ fds, ...resources, listeners: total(listeners) })
  return [
    ...memory.map(([what, bytes]) => `${what} ${(bytes / mebibyte).toFixed(1)} MiB`),
    ...counts.map(([what, count]) => `${what} ${count}`),
  ].join(', ')
}

/** All of them. */
export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** What ends with the turn is nobody's. */
function lasting(resources: Sample['resources']): Sample['resources'] {
  return Object.fromEntries(Object.entries(resources).filter(([type]) => type !== 'Immediate'))
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!
}
