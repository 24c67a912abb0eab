import { dropReasons, type Counters, type DropReason } from './counters.ts'
import { standardLevels, type StandardLevel } from '../record/severity.ts'

/** Records dropped since the last drop report, by reason and by level. Counts of 0 are omitted. */
export interface Drops {
  readonly total: number
  readonly byReason: Readonly<Partial<Record<DropReason, number>>>
  readonly byLevel: Readonly<Partial<Record<StandardLevel, number>>>
}

/** The drops in a set of counters that have not been reported yet. */
export class DropCounts {
  private readonly counters: Counters
  /** The counters when drops were last reported. */
  private reported: Counts = {
    total: 0,
    byReason: new Float64Array(dropReasons.length),
    byLevel: new Float64Array(standardLevels.length),
  }
  /** The value of `reported` before the last `markReported`. */
  private previouslyReported: Counts = this.reported

  constructor(counters: Counters) {
    this.counters = counters
  }

  /** Whether there are drops that have not been reported. */
  get hasUnreported(): boolean {
    return this.unreportedCount > 0
  }

  /** The number of dropped records that have not been reported. */
  get unreportedCount(): number {
    return this.counters.droppedTotal - this.reported.total
  }

  /** The drops that have not been reported. */
  get unreportedDrops(): Drops {
    const { droppedTotal, droppedByReason, droppedByLevel } = this.counters
    return {
      total: droppedTotal - this.reported.total,
      byReason: positiveDifferences(dropReasons, droppedByReason, this.reported.byReason),
      byLevel: positiveDifferences(standardLevels, droppedByLevel, this.reported.byLevel),
    }
  }

  /** Marks the drops in `unreportedDrops` as reported. */
  markReported(): void {
    const { droppedTotal, droppedByReason, droppedByLevel } = this.counters
    this.previouslyReported = this.reported
    this.reported = { total: droppedTotal, byReason: droppedByReason.slice(), byLevel: droppedByLevel.slice() }
  }

  /** Reverts the last `markReported`, for a report that has not arrived. */
  rollback(): void {
    this.reported = this.previouslyReported
  }
}

/** The drops in a set of counters at one time. */
interface Counts {
  readonly total: number
  readonly byReason: Float64Array
  readonly byLevel: Float64Array
}

/** Returns how much each count has grown. Counts that have not grown are omitted. */
function positiveDifferences<K extends string>(
  names: readonly K[],
  now: Float64Array,
  before: Float64Array,
): Partial<Record<K, number>> {
  const counts = names.map((name, index) => [name, now[index]! - before[index]!] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0)) as Partial<Record<K, number>>
}
