/** Consecutive records that are in memory and in the file. */
interface SavedRange {
  /** The sequence number of the first record in memory. */
  readonly sequence: number
  /** The number of the first record in the file. */
  readonly number: number
  count: number
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
   * Returns the lowest number of a record in memory; undefined if none is in the file.
   *
   * @param firstSequence - the sequence number of the oldest record in memory
   */
  oldest(firstSequence: number): number | undefined {
    let oldest: number | undefined
    for (const { sequence, number, count } of this.ranges) {
      if (sequence + count <= firstSequence) continue
      const first = number + Math.max(0, firstSequence - sequence)
      if (oldest === undefined || first < oldest) oldest = first
    }
    return oldest
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
