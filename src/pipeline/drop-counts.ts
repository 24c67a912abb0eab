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
  private reported: Counts = {
    total: 0,
    byReason: new Float64Array(dropReasons.length),
    byLevel: new Float64Array(standardLevels.length),
  }
  private before: Counts = this.reported

  constructor(counters: Counters) {
    this.counters = counters
  }

  get isPending(): boolean {
    return this.unreported > 0
  }

  /** The number of dropped records that have not been reported. */
  get unreported(): number {
    return this.counters.droppedTotal - this.reported.total
  }

  /** The drops that have not been reported. */
  get loss(): Drops {
    const { droppedTotal, droppedByReason, droppedByLevel } = this.counters
    return {
      total: droppedTotal - this.reported.total,
      byReason: grown(dropReasons, droppedByReason, this.reported.byReason),
      byLevel: grown(standardLevels, droppedByLevel, this.reported.byLevel),
    }
  }

  /** Marks the drops in `loss` as reported. */
  markReported(): void {
    const { droppedTotal, droppedByReason, droppedByLevel } = this.counters
    this.before = this.reported
    this.reported = { total: droppedTotal, byReason: droppedByReason.slice(), byLevel: droppedByLevel.slice() }
  }

  /** Reverts the last `markReported`, because its report has not arrived. */
  rollback(): void {
    this.reported = this.before
  }
}

interface Counts {
  readonly total: number
  readonly byReason: Float64Array
  readonly byLevel: Float64Array
}

function grown<K extends string>(
  names: readonly K[],
  now: Float64Array,
  before: Float64Array,
): Partial<Record<K, number>> {
  const counts = names.map((name, index) => [name, now[index]! - before[index]!] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0)) as Partial<Record<K, number>>
}
