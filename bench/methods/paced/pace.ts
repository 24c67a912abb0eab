import type { Log } from '../../subjects/subject.ts'
import type { PacedVariant } from './variant.ts'

/** Times in ms. */
export interface Pace {
  /** The time until the last call has returned. */
  readonly took: number
  /** The longest time between two ticks of a timer of 1 ms, from the first call until the flush has ended. */
  readonly longestBlock: number
}

/**
 * Logs the records from `from` to `to` at the rate of the variant, times each call, and waits until all are written. A timer of 1 ms
 * logs the records that are due: after a late tick all missed ones at once, like a server that handles waiting requests. So a blocked
 * event loop omits no record and hides no slow call.
 */
export async function pace(
  { run, perSecond }: PacedVariant,
  log: Log,
  from: number,
  to: number,
  times: Float64Array,
): Promise<Pace> {
  const start = performance.now()
  let lastTick = start
  let longestBlock = 0
  let at = from
  let ended: ((time: number) => void) | undefined

  function tick(): void {
    const now = performance.now()
    longestBlock = Math.max(longestBlock, now - lastTick)
    lastTick = now
    const due = Math.min(to, from + Math.floor(((now - start) * perSecond) / 1_000))
    for (; at < due; at++) {
      const before = performance.now()
      run(log, at, at + 1)
      times[at - from] = performance.now() - before
    }
    if (at === to) ended?.(performance.now())
  }

  const timer = setInterval(tick, 1)
  const end = await new Promise<number>((resolve) => (ended = resolve))
  await log.flush()
  clearInterval(timer)
  return { took: end - start, longestBlock: Math.max(longestBlock, performance.now() - lastTick) }
}

/**
 * Returns the time of two clock reads in ms, which is included in the time of each call. It is the median of as many measurements as
 * there are times.
 */
export function clockCost(times: Float64Array): number {
  for (let i = 0; i < times.length; i++) {
    const before = performance.now()
    times[i] = performance.now() - before
  }
  return quantile(times.toSorted(), 0.5)
}

/** Returns a quantile of times. */
export const quantile = (sorted: Float64Array, share: number): number => sorted[Math.ceil(sorted.length * share) - 1]!
