import { dropReasons, type Account, type DropReason } from './ledger.ts'
import { standardLevels, type StandardLevel } from '../record/severity.ts'

/** Records that were lost since the last notice, by reason and by level; only what is not 0. */
export interface Loss {
  readonly total: number
  readonly byReason: Readonly<Partial<Record<DropReason, number>>>
  readonly byLevel: Readonly<Partial<Record<StandardLevel, number>>>
}

/** Tells how an account's losses have grown since they were last told. */
export class LossWatch {
  private readonly account: Account
  private told: Counts = {
    total: 0,
    byReason: new Float64Array(dropReasons.length),
    byLevel: new Float64Array(standardLevels.length),
  }
  private before: Counts = this.told

  constructor(account: Account) {
    this.account = account
  }

  get isPending(): boolean {
    return this.untold > 0
  }

  /** How many lost records were not told. */
  get untold(): number {
    return this.account.droppedTotal - this.told.total
  }

  /** The losses that were not told. */
  get loss(): Loss {
    const { droppedTotal, droppedByReason, droppedByLevel } = this.account
    return {
      total: droppedTotal - this.told.total,
      byReason: grown(dropReasons, droppedByReason, this.told.byReason),
      byLevel: grown(standardLevels, droppedByLevel, this.told.byLevel),
    }
  }

  /** What `loss` says is told now. */
  tell(): void {
    const { droppedTotal, droppedByReason, droppedByLevel } = this.account
    this.before = this.told
    this.told = { total: droppedTotal, byReason: droppedByReason.slice(), byLevel: droppedByLevel.slice() }
  }

  /** What was told last has not arrived. */
  untell(): void {
    this.told = this.before
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
