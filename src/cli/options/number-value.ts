import { parseDuration } from '../../options/duration.ts'
import type { OptionName } from './definition.ts'
import type { ParsedOptions } from './parsed-options.ts'
import { UsageError } from './usage-error.ts'

/**
 * Returns the value of an option as a whole number of 0 or more; undefined if the option is not set.
 *
 * @throws UsageError if it is not such a number.
 */
export function countValue(options: ParsedOptions, name: OptionName): number | undefined {
  const text = options.value(name)
  if (text === undefined) return undefined
  const count = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count
  throw new UsageError(`--${name} must be a whole number, not '${text}'`)
}

/**
 * Returns the value of an option as a duration in milliseconds; undefined if the option is not set.
 *
 * @throws UsageError if it is not a duration.
 */
export function durationValue(options: ParsedOptions, name: OptionName): number | undefined {
  const text = options.value(name)
  if (text === undefined) return undefined
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined) return milliseconds
  throw new UsageError(`--${name} must be a duration such as 500ms, 10s, 5m or 1h30m, not '${text}'`)
}

/**
 * Returns the value of `--interval` in milliseconds; undefined if the option is not set.
 *
 * @throws UsageError if it is not a duration of 1 ms or more.
 */
export function intervalValue(options: ParsedOptions): number | undefined {
  const interval = durationValue(options, 'interval')
  if (interval === undefined || interval >= 1) return interval
  throw new UsageError(`--interval must be at least 1ms, not '${options.value('interval')!}'`)
}
