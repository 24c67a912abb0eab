import { dropReasons, type Account, type DropReason } from './ledger.ts'
import { standardLevels, type StandardLevel } from '../record/severity.ts'

/** Records that were lost since the last notice, by reason and by level; only what is not 0. */
export interface Loss {
  readonly total: number
  readonly byReason: Readonly<Partial<Record<DropReason, number>>>
  readonly byLevel: Readonly<Partial<Record<StandardLevel, number>>>
}

/** Tells how an account's losses have grown since it was last asked. */
export class LossWatch {
  private readonly account: Account
  private total = 0
  private byReason = new Float64Array(dropReasons.length)
  private byLevel = new Float64Array(standardLevels.length)

  constructor(account: Account) {
    this.account = account
  }

  get isPending(): boolean {
    return this.account.droppedTotal > this.total
  }

  /** The losses since the last call. */
  take(): Loss {
    const { droppedTotal, droppedByReason, droppedByLevel } = this.account
    const loss: Loss = {
      total: droppedTotal - this.total,
      byReason: grown(dropReasons, droppedByReason, this.byReason),
      byLevel: grown(standardLevels, droppedByLevel, this.byLevel),
    }
    this.total = droppedTotal
    this.byReason = droppedByReason.slice()
    this.byLevel = droppedByLevel.slice()
    return loss
  }
}

function grown<K extends string>(names: readonly K[], now: Float64Array, before: Float64Array): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {}
  names.forEach((name, index) => {
    const count = now[index]! - before[index]!
    if (count > 0) counts[name] = count
  })
  return counts
}
