import type { FilterCounter, RecordOrigin } from '../handler/handler.ts'

/** The records of one key and level since its first record. `count` is the number of suppressed ones that were not reported yet. */
export interface KeyWindow extends FilterCounter {
  /** The key; undefined if several keys share the window. */
  readonly key: string | undefined
  /** The severity number of the records. */
  readonly severity: number
  /** The time of the first record, in ms since the Unix epoch. */
  readonly start: number
  /** The time at which the window ends. */
  readonly end: number
  /** The number of records. */
  seen: number
  /** The time since which `count` was counted, in ms since the Unix epoch. */
  countedSince: number
  /** The origin of a suppressed record; undefined without one. */
  origin: RecordOrigin | undefined
}

/** Settings of `KeyWindowStore`. */
export interface KeyWindowSettings {
  readonly windowMillis: number
  readonly maxKeys: number
  /** What happens to the first record of a key while there are `maxKeys`: its key shares a window with others, or replaces the oldest. */
  readonly whenFull: 'share' | 'replace'
}

/** Returns whether a window has ended. A clock that jumps backwards ends it, because it could last too long otherwise. */
export function hasEnded({ start, end }: KeyWindow, time: number): boolean {
  return time >= end || time < start
}
