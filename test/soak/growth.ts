import type { Sample } from './messages.ts'

const mebibyte = 1024 * 1024
/** The minimum number of samples. */
const MIN_SAMPLES = 6

/** Returns the resources that grew between calm moments, as sentences, or undefined if there are too few samples. */
export function growthOf(samples: readonly Sample[]): string[] | undefined {
  if (samples.length < MIN_SAMPLES) return undefined
  const third = Math.floor(samples.length / 3)
  const first = samples.slice(0, third)
  const last = samples.slice(-third)
  const limits: readonly (readonly [
    what: string,
    of: (sample: Sample) => number,
    allowed: (before: number) => number,
  ])[] = [
    // Memory that remains after a collection is reachable.
    ['bytes of heap', ({ heapUsed }) => heapUsed, (before) => before * 1.1 + 4 * mebibyte],
    ['bytes outside of the heap', ({ external }) => external, (before) => before * 1.1 + 4 * mebibyte],
    // The allocator outside of V8 does not return all memory: it grows to about 60 MiB in the first minutes.
    ['bytes of RSS', ({ rss }) => rss, (before) => before * 1.25 + 64 * mebibyte],
    // Kept-alive connections and a writer process that was just killed.
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

/** Formats the resources of a process. */
export function resourcesText(sample: Sample): string {
  const { rss, heapTotal, heapUsed, external, arrayBuffers, fds, resources, listeners } = sample
  const memory = Object.entries({ rss, heapTotal, heapUsed, external, arrayBuffers })
  const counts = Object.entries({ fds, ...resources, listeners: total(listeners) })
  return [
    ...memory.map(([what, bytes]) => `${what} ${(bytes / mebibyte).toFixed(1)} MiB`),
    ...counts.map(([what, count]) => `${what} ${count}`),
  ].join(', ')
}

/** Returns the sum of the counts. */
export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Returns the resources without immediates, which end with the turn. */
function lasting(resources: Sample['resources']): Sample['resources'] {
  return Object.fromEntries(Object.entries(resources).filter(([type]) => type !== 'Immediate'))
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!
}
