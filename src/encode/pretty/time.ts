/** How the time of a record is shown. Any other text is the name of an IANA time zone. */
export type TimeFormat = 'local' | 'utc' | 'iso' | 'relative' | (string & {})

/** Returns a function that formats milliseconds since the Unix epoch. For times of day, it caches the text of the last second. */
export function timeFormatter(format: TimeFormat): (time: number) => string {
  if (format === 'relative') return relativeTime()
  if (format === 'iso') return (time) => (isInDateRange(time) ? new Date(Math.floor(time)).toISOString() : invalidTime)
  const secondText = format === 'local' ? localTime : format === 'utc' ? utcTime : zonedTime(format)
  let lastSecond = NaN
  let lastText = ''
  return (time) => {
    if (!isInDateRange(time)) return invalidTime
    const millis = Math.floor(time)
    const second = Math.floor(millis / 1_000)
    if (second !== lastSecond) {
      lastText = secondText(new Date(second * 1_000))
      lastSecond = second
    }
    return `${lastText}.${String(millis - second * 1_000).padStart(3, '0')}`
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

/** Returns whether a Date can represent a time. The maximum of an ECMAScript time value is 8.64e15 ms. */
function isInDateRange(time: number): boolean {
  return time >= -8.64e15 && time <= 8.64e15
}

/** Returns a function that formats the time since the first record, such as `+1.204s`. */
function relativeTime(): (time: number) => string {
  let start: number | undefined
  return (time) => {
    start ??= time
    const seconds = (time - start) / 1_000
    return `${seconds < 0 ? '-' : '+'}${Math.abs(seconds).toFixed(3)}s`.padStart(9)
  }
}

function localTime(date: Date): string {
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`
}

function utcTime(date: Date): string {
  return date.toISOString().slice(-13, -5)
}

function zonedTime(timeZone: string): (date: Date) => string {
  // The locale en-GB has 24 hours, and the digits and separators of ISO 8601.
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium', hourCycle: 'h23' })
  return (date) => format.format(date)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
