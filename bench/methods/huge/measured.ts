import type { Figures } from '../../figures.ts'

/** What the measured process found. */
export interface Measured {
  readonly figures: Figures
  readonly calibration: number
  /** The subject's own count. */
  readonly stats: { readonly written: number; readonly lost: number } | undefined
}
