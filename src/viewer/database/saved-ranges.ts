/** Consecutive records that are in memory and in the file. */
interface SavedRange {
  /** The sequence number of the first record in memory. */
  readonly sequence: number
  /** The number of the first record in the file. */
  readonly number: number
  count: number
}

/** When there are more ranges, those that are no longer in memory are removed. */
const maxRanges = 64

/** Which records in memory are in the file, and under which numbers. */
export class SavedRanges {
  private ranges: SavedRange[] = []

  add(sequence: number, number: number, count: number): void {
    const last = this.ranges.at(-1)
    if (last !== undefined && last.sequence + last.count === sequence && last.number + last.count === number)
      last.count += count
    else this.ranges.push({ sequence, number, count })
  }

  /**
   * Returns the lowest number of a record in memory; undefined if none is in the file.
   *
   * @param firstSequence - the sequence number of the oldest record in memory
   */
  oldest(firstSequence: number): number | undefined {
    const { ranges } = this
    if (ranges.length > maxRanges)
      this.ranges = ranges.filter(({ sequence, count }) => sequence + count > firstSequence)
    let oldest: number | undefined
    for (const { sequence, number, count } of this.ranges) {
      if (sequence + count <= firstSequence) continue
      const first = number + Math.max(0, firstSequence - sequence)
      if (oldest === undefined || first < oldest) oldest = first
    }
    return oldest
  }
}
