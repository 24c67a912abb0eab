import { checkOptions, choice, integer, type Check, type OptionSchema, typeName } from '../../options/option-checks.ts'
import type { RotationInterval } from './rotation-period.ts'
import { ownCopy } from '../../options/own-members.ts'

/** When a file is rotated, and how rotated files are kept. Set at least one of `size` and `interval`. */
export interface FileRotation {
  /**
   * The maximum size of one file in bytes, 1,000,000 or more. A file is larger only if a single record is larger than `size`,
   * or than 1 MiB. If several processes write to the file, it may also exceed `size` by 256 KiB while one of them is about to
   * rotate it, and by what they write at the same moment: a batch of at most 68 KiB each.
   */
  readonly size?: number
  /**
   * The period of one file. `hourly` and `daily` are hours and days of the local time zone. A number is in ms, 1,000 or more,
   * counted from 1970 in UTC (900_000: every quarter of an hour). The file is rotated when the first record after the period is
   * written, so an empty file is not rotated.
   */
  readonly interval?: RotationInterval
  /**
   * The maximum number of rotated files. The oldest are deleted.
   *
   * @defaultValue all are kept
   */
  readonly keep?: number
  /**
   * Compresses rotated files some seconds after the rotation.
   *
   * @defaultValue no compression
   */
  readonly compress?: 'gzip'
}

/**
 * In a smaller file, a burst could fit whose records all have the same time, and the Collector treats two files as one if their
 * first 1000 bytes are equal (FIL6).
 */
const minSize = 1_000_000
const minInterval = 1_000
/** About 24 days. */
const maxInterval = 2_147_483_647

const millis = integer(minInterval, maxInterval)
const namedInterval = choice(['hourly', 'daily'])

const interval: Check = (value, where, problems) => {
  if (typeof value === 'number') return millis(value, where, problems)
  if (typeof value === 'string') return namedInterval(value, where, problems)
  problems.push({
    code: 'SLUICE_OPTION_TYPE',
    path: where,
    message: `must be 'hourly', 'daily' or a number of ms, not ${typeName(value)}`,
  })
}

const schema: OptionSchema = { size: integer(minSize), interval, keep: integer(0), compress: choice(['gzip']) }

/** The check of the option `rotate`. */
export const rotation: Check = (value, where, problems) => {
  const before = problems.length
  checkOptions(value, schema, where, problems)
  if (problems.length > before) return
  const { size, interval } = ownCopy(value as FileRotation)
  if (size !== undefined || interval !== undefined) return
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: 'must have size, interval or both' })
}

/** Returns the options by their paths. Exporters that share a file must set them to the same values. */
export function sharedRotationOptions(rotate: FileRotation | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(rotate ?? {}).map(([name, value]) => [`rotate.${name}`, value]))
}
