/** Literal text in brackets or quotes, or the letters of a part of a date. */
const token = /\[([^]*?)\]|d{1,4}|M{1,4}|YY(?:YY)?|S{1,3}|Do|ZZ|Z|([HhMsDm])\2?|[aA]|"[^"]*"|'[^']*'/g

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** Patterns by name. */
const namedPatterns: Readonly<Record<string, string>> = {
  default: 'ddd MMM DD YYYY HH:mm:ss',
  shortDate: 'M/D/YY',
  mediumDate: 'MMM D, YYYY',
  longDate: 'MMMM D, YYYY',
  fullDate: 'dddd, MMMM D, YYYY',
  isoDate: 'YYYY-MM-DD',
  isoDateTime: 'YYYY-MM-DDTHH:mm:ssZ',
  shortTime: 'HH:mm',
  mediumTime: 'HH:mm:ss',
  longTime: 'HH:mm:ss.SSS',
}

/** Functions that return the parts of a date in local time, by pattern letters. */
const partByToken: Readonly<Record<string, (date: Date) => string | number>> = {
  D: (date) => date.getDate(),
  DD: (date) => padded(date.getDate()),
  Do: (date) => ordinal(date.getDate()),
  d: (date) => date.getDay(),
  dd: (date) => padded(date.getDay()),
  ddd: (date) => days[date.getDay()]!.slice(0, 3),
  dddd: (date) => days[date.getDay()]!,
  M: (date) => date.getMonth() + 1,
  MM: (date) => padded(date.getMonth() + 1),
  MMM: (date) => months[date.getMonth()]!.slice(0, 3),
  MMMM: (date) => months[date.getMonth()]!,
  YY: (date) => padded(date.getFullYear(), 4).slice(2),
  YYYY: (date) => padded(date.getFullYear(), 4),
  h: (date) => date.getHours() % 12 || 12,
  hh: (date) => padded(date.getHours() % 12 || 12),
  H: (date) => date.getHours(),
  HH: (date) => padded(date.getHours()),
  m: (date) => date.getMinutes(),
  mm: (date) => padded(date.getMinutes()),
  s: (date) => date.getSeconds(),
  ss: (date) => padded(date.getSeconds()),
  S: (date) => Math.round(date.getMilliseconds() / 100),
  SS: (date) => padded(Math.round(date.getMilliseconds() / 10)),
  SSS: (date) => padded(date.getMilliseconds(), 3),
  a: (date) => (date.getHours() < 12 ? 'am' : 'pm'),
  A: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  Z: (date) => utcOffset(date, ':'),
  ZZ: (date) => utcOffset(date, ''),
}

/**
 * Formats a date in local time. The pattern can be like `YYYY-MM-DD HH:mm:ss.SSS` or `Do MMM`, contain `[literal text]`, or be the name of
 * a predefined one such as `isoDate`.
 */
export function dateText(date: Date, pattern: string): string {
  const expandedPattern = Object.hasOwn(namedPatterns, pattern) ? namedPatterns[pattern]! : pattern
  return expandedPattern.replace(token, (found: string, literal: string | undefined) => {
    if (literal !== undefined) return literal
    // Otherwise it is literal text in quotes, which are removed.
    return Object.hasOwn(partByToken, found) ? String(partByToken[found]!(date)) : found.slice(1, -1)
  })
}

function padded(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}

function ordinal(day: number): string {
  const last = day % 10
  const isTeen = Math.floor(day / 10) === 1
  return day + (isTeen || last === 0 || last > 3 ? 'th' : ['st', 'nd', 'rd'][last - 1]!)
}

function utcOffset(date: Date, separator: string): string {
  const minutes = date.getTimezoneOffset()
  const [hours, restMinutes] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes > 0 ? '-' : '+'}${padded(hours)}${separator}${padded(restMinutes)}`
}
