/** Consecutive records that are in memory and in the file. */
interface SavedRange {
  /** The sequence number of the first record in memory. */
  readonly sequence: number
  /** The number of the first record in the file. */
  readonly number: number
  count: number
}

/** Consecutive records of the file. */
export interface NumberRange {
  readonly first: number
  /** The number after the last record. */
  readonly end: number
}

/** With fewer ranges, none is removed. */
const minRanges = 64

/** Which records in memory are in the file, and under which numbers. */
export class SavedRanges {
  private ranges: SavedRange[] = []
  /** With so many ranges, those that are no longer in memory are removed. */
  private maxRanges = minRanges
  /** The number of records of the ranges that were removed. */
  private removed = 0

  /** The number of ranges that are kept. */
  get length(): number {
    return this.ranges.length
  }

  /** @param firstSequence - the sequence number of the oldest record in memory */
  add(sequence: number, number: number, count: number, firstSequence: number): void {
    const last = this.ranges.at(-1)
    if (last !== undefined && last.sequence + last.count === sequence && last.number + last.count === number)
      last.count += count
    else this.ranges.push({ sequence, number, count })
    if (this.ranges.length > this.maxRanges) this.removeBefore(firstSequence)
  }

  /**
   * Returns how many records in memory are in the file.
   *
   * @param firstSequence - the sequence number of the oldest record in memory
   * @param firstNumber - the number of the oldest record of the file
   */
  countInMemory(firstSequence: number, firstNumber: number): number {
    let total = 0
    for (const range of this.ranges) {
      const { first, end } = numbersInMemory(range, firstSequence)
      total += Math.max(0, end - Math.max(first, firstNumber))
    }
    return total
  }

  /**
   * Returns which records of the file are not in memory, in ascending order. Records that arrive while the file is loaded have higher numbers than
   * those that are loaded later, but are evicted before them.
   *
   * @param firstSequence - the sequence number of the oldest record in memory
   * @param numbers - the records of the file
   */
  missing(firstSequence: number, numbers: NumberRange): readonly NumberRange[] {
    const missing: NumberRange[] = []
    let next = numbers.first
    for (const { first, end } of this.ranges
      .map((range) => numbersInMemory(range, firstSequence))
      .filter((range) => range.end > range.first)
      .toSorted((a, b) => a.first - b.first)) {
      if (first > next) missing.push({ first: next, end: Math.min(first, numbers.end) })
      next = Math.max(next, end)
    }
    if (next < numbers.end) missing.push({ first: next, end: numbers.end })
    return missing
  }

  /**
   * Returns the number of records before a sequence number that are in the file.
   *
   * @param firstSequence - the sequence number of the oldest record in memory
   */
  countBefore(firstSequence: number): number {
    let total = this.removed
    for (const { sequence, count } of this.ranges) total += Math.min(count, Math.max(0, firstSequence - sequence))
    return total
  }

  private removeBefore(firstSequence: number): void {
    const kept: SavedRange[] = []
    for (const range of this.ranges) {
      if (range.sequence + range.count > firstSequence) kept.push(range)
      else this.removed += range.count
    }
    this.ranges = kept
    // The time of this is that of some records for each of them, also with many ranges in memory.
    this.maxRanges = Math.max(minRanges, 2 * kept.length)
  }
}

/** Returns the numbers of the records of a range that are still in memory. */
function numbersInMemory({ sequence, number, count }: SavedRange, firstSequence: number): NumberRange {
  return { first: number + Math.max(0, firstSequence - sequence), end: number + count }
}
