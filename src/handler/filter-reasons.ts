/** How many records were filtered for one reason. */
export interface ReasonCount {
  readonly reason: string
  count: number
}

/** The reason of records for which a handler gave none. */
const defaultReason = 'handler'
/** The reason under which records are counted once there are too many reasons. */
const otherReason = 'other'
const maxReasons = 32

/** Counts the records that a handler filters, by the reason that it gives. */
export class FilterReasons {
  private readonly counts = new Map<string, ReasonCount>()
  /** The count that was used last: consecutive records are often filtered for the same reason. */
  private last: ReasonCount = this.add(defaultReason)

  /** Returns the count of a reason, which the caller increments. The user's handler can pass any value. */
  countOf(reason: unknown = defaultReason): ReasonCount {
    if (reason === this.last.reason) return this.last
    this.last = this.find(typeof reason === 'string' ? reason : defaultReason)
    return this.last
  }

  /** Returns the counts that are not 0, by reason. */
  toRecord(): Record<string, number> {
    const used = [...this.counts.values()].filter(({ count }) => count > 0)
    return Object.fromEntries(used.map(({ reason, count }) => [reason, count]))
  }

  private find(reason: string): ReasonCount {
    const known = this.counts.get(reason)
    if (known !== undefined) return known
    return this.counts.size < maxReasons ? this.add(reason) : (this.counts.get(otherReason) ?? this.add(otherReason))
  }

  private add(reason: string): ReasonCount {
    const count = { reason, count: 0 }
    this.counts.set(reason, count)
    return count
  }
}
