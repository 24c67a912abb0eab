import type { Figures } from '../../figures.ts'

/** The result of the measured process. */
export interface Measured {
  readonly figures: Figures
  readonly calibration: number
  /** The statistics of the subject. */
  readonly stats: { readonly written: number; readonly lost: number } | undefined
}
