import { ZoneOffset } from './zone-offset.ts'

/** How the time of a record is shown. Any other text is the name of an IANA time zone. */
export type TimeFormat = 'local' | 'utc' | 'iso' | 'relative' | (string & {})

/**
 * Returns a function that formats milliseconds since the Unix epoch. For times of day, it caches the text of the last second.
 *
 * @param showsDate - whether a date is before the time of day
 */
export function timeFormatter(format: TimeFormat, showsDate = false): (time: number) => string {
  if (format === 'relative') return relativeTime()
  if (format === 'iso') return (time) => (isInDateRange(time) ? new Date(Math.floor(time)).toISOString() : invalidTime)
  const zone = new ZoneOffset(format)
  const invalid = showsDate ? `---------- ${invalidTime}` : invalidTime
  let lastDay = NaN
  let lastDate = ''
  let lastSecond = NaN
  let lastText = ''
  return (time) => {
    if (!isInDateRange(time)) return invalid
    const millis = Math.floor(time)
    const second = Math.floor(millis / 1_000)
    if (second !== lastSecond) {
      const shifted = second * 1_000 + zone.at(millis)
      const day = Math.floor(shifted / dayMillis)
      if (showsDate && day !== lastDay && isInDateRange(shifted)) {
        lastDate = `${new Date(shifted).toISOString().slice(0, -14)} `
        lastDay = day
      }
      // A time at an end of the range of a Date can leave that range when it is shifted.
      lastText = isInDateRange(shifted) ? `${lastDate}${clockText((shifted - day * dayMillis) / 1_000)}.` : outsideTime
      lastSecond = second
    }
    const rest = millis - second * 1_000
    return lastText + (rest < 10 ? '00' : rest < 100 ? '0' : '') + rest
  }
}

/** Returns whether `Intl` supports a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const invalidTime = '--:--:--.---'
const outsideTime = invalidTime.slice(0, 9)

/** Returns whether a Date can represent a time. The maximum of an ECMAScript time value is 8.64e15 ms. */
export function isInDateRange(time: number): boolean {
  return time >= -8.64e15 && time <= 8.64e15
}

/** Returns a function that formats the time since the first record, such as `+1.204s`. */
function relativeTime(): (time: number) => string {
  let start: number | undefined
  return (time) => {
    if (!isInDateRange(time)) return '-.---s'.padStart(9)
    start ??= time
    const seconds = (time - start) / 1_000
    return `${seconds < 0 ? '-' : '+'}${Math.abs(seconds).toFixed(3)}s`.padStart(9)
  }
}

/** Returns the time of day of the seconds since midnight, without a Date, which is slow. */
function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(Math.floor(seconds % 60))}`
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}

const dayMillis = 86_400_000
