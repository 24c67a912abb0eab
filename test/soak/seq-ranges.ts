/** A set of integers that are mostly added in order, stored as ranges. */
export class SeqRanges {
  /** The ranges, in order and without overlap. Both ends are included. */
  private readonly ranges: [from: number, to: number][]
  size = 0

  constructor(ranges: readonly (readonly [number, number])[] = []) {
    this.ranges = ranges.map(([from, to]) => [from, to])
    for (const [from, to] of ranges) this.size += to - from + 1
  }

  /** Adds a number. Returns `known` if it was in the set, and `late` if a greater one was. */
  add(seq: number): 'next' | 'late' | 'known' {
    const last = this.ranges.at(-1)
    if (last === undefined || seq > last[1]) {
      if (last !== undefined && seq === last[1] + 1) last[1] = seq
      else this.ranges.push([seq, seq])
      this.size++
      return 'next'
    }
    const index = this.indexOf(seq)
    if (this.ranges[index] !== undefined && this.ranges[index][0] <= seq) return 'known'
    this.ranges.splice(index, 0, [seq, seq])
    this.size++
    return 'late'
  }

  /** Returns how many numbers from 0 to `end`, excluding `end`, are missing. */
  missingBelow(end: number): number {
    let missing = end
    for (const [from, to] of this.ranges) {
      if (from >= end) break
      missing -= Math.min(to, end - 1) - from + 1
    }
    return missing
  }

  /** Returns the missing ranges below `end`. */
  gapsBelow(end: number): [from: number, to: number][] {
    const gaps: [number, number][] = []
    let next = 0
    for (const [from, to] of this.ranges) {
      if (from > next && next < end) gaps.push([next, Math.min(from, end) - 1])
      next = to + 1
    }
    if (next < end) gaps.push([next, end - 1])
    return gaps
  }

  get last(): number {
    return this.ranges.at(-1)?.[1] ?? -1
  }

  toJSON(): readonly (readonly [number, number])[] {
    return this.ranges
  }

  /** Returns the index of the first range that does not end before a number. */
  private indexOf(seq: number): number {
    let low = 0
    let high = this.ranges.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.ranges[middle]![1] < seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
