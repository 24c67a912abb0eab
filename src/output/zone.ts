import type { TimeFormat } from '../encode/pretty/time.ts'

/** Returns the time zone of `--time` for formats with whole dates: UTC without the flag, and for `relative`. */
export function zoneOf(time: TimeFormat | undefined): string {
  return time === undefined || time === 'relative' || time === 'iso' ? 'utc' : time
}
