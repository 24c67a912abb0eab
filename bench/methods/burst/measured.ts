import type { Figures } from '../../figures.ts'
import type { ProfiledFunction } from '../../run/profile.ts'

/** What the measured process found, of the timed part alone. */
export interface Measured {
  readonly figures: Figures
  readonly calibration: number
  /** The subject's own count of all records, those of the warm-up included. */
  readonly stats: { readonly written: number; readonly lost: number } | undefined
  readonly functions: readonly ProfiledFunction[] | undefined
}
