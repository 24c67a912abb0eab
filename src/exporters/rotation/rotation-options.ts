import { bareValueProblem } from '../../options/bare-value.ts'
import { foreignRotateOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignIntervalWords } from '../../options/foreign-values.ts'
import { checkOptions, choice, integer, type Check, type OptionSchema, typeName } from '../../options/option-checks.ts'
import type { RotationInterval } from './rotation-period.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** When a file is rotated, and how rotated files are kept. Set at least one of `size` and `interval`. */
export interface FileRotation {
  /**
   * The maximum size of one file in bytes, 1,000,000 or more. A file is larger only if a single record is larger than `size`,
   * or than 1 MiB. If several processes write to the file, it may also exceed `size` by 256 KiB while one of them is about to
   * rotate it, and by what they write at the same moment: a batch of at most 68 KiB each.
   *
   * @defaultValue no limit
   */
  readonly size?: number
  /**
   * The period of one file. `hourly` and `daily` are hours and days of the local time zone. A number is in ms, 1,000 or more,
   * counted from 1970 in UTC (900_000: every quarter of an hour). The file is rotated when the first record after the period is
   * written, so an empty file is not rotated.
   *
   * @defaultValue none: files are rotated by size only
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
 * The minimum of `size`. The Collector treats two files as one if their first 1,000 bytes are equal, which requires that the
 * first records of both have the same time. A burst of records with one time could fill a smaller file.
 */
const minSizeBytes = 1_000_000
const minIntervalMillis = 1_000
/** The maximum of a numeric `interval`, in ms: about 24 days, as for the options that are delays of timers. */
const maxIntervalMillis = 2_147_483_647

const numericInterval = integer(minIntervalMillis, maxIntervalMillis)
const namedInterval = choice(['hourly', 'daily'], foreignIntervalWords)

const intervalCheck: Check = (value, where, problems) => {
  if (typeof value === 'number') return numericInterval(value, where, problems)
  if (typeof value === 'string') return namedInterval(value, where, problems)
  problems.push({
    code: 'SLUICE_OPTION_TYPE',
    path: where,
    message: `must be 'hourly', 'daily' or a number of ms, not ${typeName(value)}`,
  })
}

const schema: OptionSchema = {
  size: integer(minSizeBytes),
  interval: intervalCheck,
  keep: integer(0),
  compress: choice(['gzip']),
}

/** What to write in place of a value that is not options. */
const usages = { 'a string': "rotate: { interval: 'daily' }", 'a number': 'rotate: { size: 10_000_000 }' }

/** The check of the option `rotate`. */
export const rotationCheck: Check = (value, where, problems) => {
  const bareValue = bareValueProblem(value, usages, where)
  if (bareValue !== undefined) {
    problems.push(bareValue)
    return
  }
  const earlierProblems = problems.length
  checkOptions(value, schema, where, problems, foreignRotateOptionNames)
  if (problems.length > earlierProblems) return
  const { size, interval } = withoutPrototype(value as FileRotation)
  if (size !== undefined || interval !== undefined) return
  problems.push({
    code: 'SLUICE_OPTION_RANGE',
    path: where,
    message: 'must have size, interval or both; write size: 10_000_000',
  })
}

/** Returns the options by their paths, such as `rotate.size`. Exporters that share a file must set them to the same values. */
export function sharedRotationOptions(rotate: FileRotation | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(rotate ?? {}).map(([name, value]) => [`rotate.${name}`, value]))
}
