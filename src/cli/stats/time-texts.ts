import { withoutPrototype } from '../../options/own-members.ts'
import { timeFormatter, type TimeFormat } from '../../encode/pretty/time.ts'

/** Formats the times in a summary. */
export interface TimeTexts {
  /** Returns a date and a time of day. */
  full(time: number): string
  /** Returns a time as short as the range of times permits. */
  short(time: number): string
  /** Returns the start of an interval, with as many digits as are needed to distinguish the intervals of a range. */
  start(time: number, interval: number): string
}

const oneDay = 86_400_000

/** Returns the formats for times in a range. */
export function timeTexts(format: TimeFormat, first: number, last: number): TimeTexts {
  if (format === 'relative') {
    const relative = timeFormatter(format)
    relative(first) // The times are relative to the first record.
    const short = (time: number) => relative(time).trim()
    return { full: dateTimeText('local'), short, start: short }
  }
  const dateTime = format === 'iso' ? timeFormatter('iso') : dateTimeText(format)
  if (format === 'iso') return { full: dateTime, short: dateTime, start: dateTime }
  const isOneDay = last - first < oneDay && dateTime(first).slice(0, 10) === dateTime(last).slice(0, 10)
  const isOneYear = dateTime(first).slice(0, 4) === dateTime(last).slice(0, 4)
  return {
    full: dateTime,
    short: (time) => (isOneDay ? dateTime(time).slice(11) : dateTime(time).slice(5, 16)),
    start(time, interval) {
      const end = isOneDay || interval % 60_000 !== 0 ? undefined : 16
      const millis = interval % 1_000 === 0 ? '' : `.${String(((time % 1_000) + 1_000) % 1_000).padStart(3, '0')}`
      return dateTime(time).slice(isOneDay ? 11 : isOneYear ? 5 : 0, end) + millis
    },
  }
}

/** Returns a function that formats times such as `2026-11-21 09:56:03`. */
function dateTimeText(format: TimeFormat): (time: number) => string {
  const timeZone = format === 'local' ? undefined : format === 'utc' ? 'UTC' : format
  // The locale sv-SE has the digits and separators of ISO 8601.
  const text = new Intl.DateTimeFormat(
    'sv-SE',
    withoutPrototype({ timeZone, dateStyle: 'short', timeStyle: 'medium' } as const),
  )
  return (time) => (Math.abs(time) <= 8.64e15 ? text.format(time) : '-')
}
