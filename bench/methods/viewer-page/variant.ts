import type { Variant } from '../../scenarios/scenario.ts'

/** The page of the viewer, which is measured in Chromium. */
export interface ViewerPageVariant extends Variant {
  /** The number of records that the viewer has before anything is measured, a multiple of 1,000. */
  readonly records: number
  /** How often each filter is measured. Times are the longest ones. */
  readonly filters: number
  /** The number of frames while the list is scrolled. */
  readonly frames: number
  /** The time in which records arrive, in s, and their number per second. */
  readonly liveSeconds: number
  readonly liveRate: number
}
