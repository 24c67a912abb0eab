import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** A lap is so short that usually no garbage collection occurs: the young generation may be as small as 1 MB. */
export const perLap = 200
export const laps = 250
export const warmUpLaps = 250

interface Lap {
  readonly start: number
  readonly end: number
  readonly bytes: number
}

/**
 * Returns the bytes that a call allocates on the heap of this thread and in external buffers: the median growth of the laps without a
 * garbage collection.
 */
export async function allocatedByCall(lap: (index: number) => Promise<void>): Promise<number> {
  const collections: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const all: Lap[] = []
  for (let index = 0; index < laps; index++) {
    const start = performance.now()
    const before = used()
    await lap(index)
    const bytes = used() - before
    all.push({ start, end: performance.now(), bytes })
  }
  // Collections are reported one turn later.
  await new Promise((resolve) => setTimeout(resolve, 10))
  observer.disconnect()
  const undisturbed = all.filter(
    ({ start, end }) => !collections.some(({ startTime, duration }) => startTime < end && startTime + duration > start),
  )
  return median(undisturbed.map(({ bytes }) => bytes / perLap))
}

function used(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

/** Returns NaN for an empty list. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
