import type { Figures } from '../../figures.ts'
import type { ProfiledFunction } from '../../run/profile.ts'

/** The result of the measured process for the timed part. */
export interface Measured {
  readonly figures: Figures
  readonly calibration: number
  /** The statistics of the subject for all records, including the warm-up. */
  readonly stats: { readonly written: number; readonly lost: number } | undefined
  readonly functions: readonly ProfiledFunction[] | undefined
}
