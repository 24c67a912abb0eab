import { longerInterval, longerReadableInterval } from './intervals.ts'

/** Counts in intervals of one length. */
export interface IntervalCounts {
  /** The length of an interval in milliseconds. */
  readonly interval: number
  /** The number of intervals of this length from the Unix epoch to the first count. */
  readonly first: number
  readonly counts: readonly number[]
}

/** Counts records in intervals of time. When there are too many intervals, their length increases. */
export class Timeline {
  private interval: number
  private readonly maxIntervals: number
  private first = 0
  private counts: number[] = []

  /**
   * @param interval - the shortest length of an interval in milliseconds
   * @param maxIntervals - the largest number of intervals
   */
  constructor(interval: number, maxIntervals: number) {
    this.interval = interval
    this.maxIntervals = maxIntervals
  }

  /** Counts a record. */
  add(time: number): void {
    let index = Math.floor(time / this.interval)
    if (this.counts.length === 0) this.first = index
    while (Math.max(index - this.first, this.first + this.counts.length - 1 - index) >= this.maxIntervals) {
      const longer = merged(this.snapshot(), longerInterval(this.interval))
      this.interval = longer.interval
      this.first = longer.first
      this.counts = [...longer.counts]
      index = Math.floor(time / this.interval)
    }
    if (index < this.first) {
      this.counts = [...Array.from({ length: this.first - index }, () => 0), ...this.counts]
      this.first = index
    }
    while (this.counts.length <= index - this.first) this.counts.push(0)
    this.counts[index - this.first]!++
  }

  /** Returns the counts from the first to the last interval with a record. */
  snapshot(): IntervalCounts {
    return { interval: this.interval, first: this.first, counts: this.counts }
  }
}

/** Returns counts in longer intervals. The length must be a multiple of the given one. */
export function merged({ interval, first, counts }: IntervalCounts, longer: number): IntervalCounts {
  if (longer === interval) return { interval, first, counts }
  const factor = longer / interval
  const firstLonger = Math.floor(first / factor)
  const result: number[] = []
  for (let at = 0; at < counts.length; at++) {
    const index = Math.floor((first + at) / factor) - firstLonger
    result[index] = (result[index] ?? 0) + counts[at]!
  }
  return { interval: longer, first: firstLonger, counts: result }
}

/** Returns counts for the same intervals as those of a wider range, with zeros before and after. */
export function alignedTo(range: IntervalCounts, narrower: IntervalCounts): number[] {
  const { first, counts } = merged(narrower, range.interval)
  return range.counts.map((_, index) => counts[index + range.first - first] ?? 0)
}

/** Returns counts in intervals that are as long as necessary for a number of columns. */
export function fittedTo(columns: number, counts: IntervalCounts): IntervalCounts {
  let fitted = counts
  while (fitted.counts.length > Math.max(1, columns)) {
    fitted = merged(counts, longerReadableInterval(fitted.interval, counts.interval))
  }
  return fitted
}
