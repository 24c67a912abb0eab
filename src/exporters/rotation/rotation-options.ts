import { checkOptions, choice, integer, type Check, type OptionSchema } from '../../options/option-checks.ts'
import type { RotationInterval } from './rotation-period.ts'
import { ownCopy } from '../../options/own-members.ts'

/** When a file is put aside, and what becomes of those that were. At least one of `size` and `interval` must be given. */
export interface FileRotation {
  /**
   * The most bytes in one file, 1,000,000 or more. A file is longer only where one record is: one that alone is longer than
   * `size`, or than 1 MiB. Where several processes write to it, also by 256 KiB while one of them is about to put it aside, and
   * by what they write at the same moment: a batch of 68 KiB at most each.
   */
  readonly size?: number
  /**
   * How long one file is for: `hourly` and `daily` go by the hour and day of the local time zone; a number is in ms, 1,000 or
   * more, counted from 1970 in UTC (900_000: at the quarters of an hour). The change comes with the first record after it, so
   * a file in which nothing was written is not put aside.
   */
  readonly interval?: RotationInterval
  /** How many old files there may be; the oldest are deleted. Default: all are kept. */
  readonly keep?: number
  /** Compresses old files, some seconds after they were put aside. Default: they stay as they are. */
  readonly compress?: 'gzip'
}

/**
 * In a smaller file a burst may fit whose records have all the same time, and a Collector takes two files for one whose first
 * 1000 bytes are equal (FIL6).
 */
const leastSize = 1_000_000
const leastInterval = 1_000
/** Some 24 days. */
const longestInterval = 2_147_483_647

const millis = integer(leastInterval, longestInterval)
const named = choice(['hourly', 'daily'])

const interval: Check = (value, where, problems) => {
  if (typeof value === 'number') return millis(value, where, problems)
  if (typeof value === 'string') return named(value, where, problems)
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: "must be 'hourly', 'daily' or a number of ms" })
}

const schema: OptionSchema = { size: integer(leastSize), interval, keep: integer(0), compress: choice(['gzip']) }

/** The check of the option `rotate`. */
export const rotation: Check = (value, where, problems) => {
  const before = problems.length
  checkOptions(value, schema, where, problems)
  if (problems.length > before) return
  const { size, interval } = ownCopy(value as FileRotation)
  if (size !== undefined || interval !== undefined) return
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: 'must say when: give size, interval or both' })
}

/** The options by their paths, as those who share a file must agree on them. */
export function agreedRotation(rotate: FileRotation | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(rotate ?? {}).map(([name, value]) => [`rotate.${name}`, value]))
}
