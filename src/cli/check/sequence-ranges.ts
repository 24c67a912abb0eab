/** A range of integers. */
export interface IntegerRange {
  readonly first: number
  readonly last: number
}

/** A set of integers, kept as ranges. */
export class SequenceRanges {
  private readonly firsts: number[] = []
  private readonly lasts: number[] = []

  /** The number of ranges. */
  get size(): number {
    return this.firsts.length
  }

  /** The smallest integer; undefined in an empty set. */
  get first(): number | undefined {
    return this.firsts[0]
  }

  /** The largest integer; undefined in an empty set. */
  get last(): number | undefined {
    return this.lasts.at(-1)
  }

  /** Adds an integer. Returns false if it is in the set already. */
  add(value: number): boolean {
    const { firsts, lasts } = this
    const index = this.rangeAfter(value)
    const isNextOfPrevious = index > 0 && lasts[index - 1] === value - 1
    if (index > 0 && lasts[index - 1]! >= value) return false
    const isPreviousOfNext = firsts[index] === value + 1
    if (isNextOfPrevious && isPreviousOfNext) {
      lasts[index - 1] = lasts[index]!
      firsts.splice(index, 1)
      lasts.splice(index, 1)
    } else if (isNextOfPrevious) lasts[index - 1] = value
    else if (isPreviousOfNext) firsts[index] = value
    else {
      firsts.splice(index, 0, value)
      lasts.splice(index, 0, value)
    }
    return true
  }

  /** Yields the ranges between the smallest and the largest integer that are not in the set. */
  *gaps(): Generator<IntegerRange> {
    for (let index = 1; index < this.firsts.length; index++) {
      yield { first: this.lasts[index - 1]! + 1, last: this.firsts[index]! - 1 }
    }
  }

  /** Returns the index of the first range that begins after a value. */
  private rangeAfter(value: number): number {
    const { firsts } = this
    let low = 0
    let high = firsts.length
    if (high === 0 || firsts[high - 1]! <= value) return high
    while (low < high) {
      const middle = (low + high) >> 1
      if (firsts[middle]! <= value) low = middle + 1
      else high = middle
    }
    return low
  }
}
