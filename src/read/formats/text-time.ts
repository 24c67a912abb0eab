/** A time that was read from a text. */
export interface TextTime {
  /** Milliseconds since the Unix epoch, with a fraction. */
  readonly time: number
  /** Nanoseconds since the Unix epoch. */
  readonly timeUnixNano: bigint
  /** The position after the time in the text. */
  readonly end: number
}

/** A calendar time. */
export interface CalendarTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanos: number
  /** Minutes east of UTC; undefined if the text has no zone, which means the zone of this system. */
  readonly zone: number | undefined
}

/**
 * Reads a time such as `2026-01-01T12:00:00.123456789Z`, `2026-01-01 12:00:00,123` or `2026/01/01 12:00:00 +0100` at a position of a
 * text. A time without a zone is in the zone of this system, as log files have it. Returns undefined if there is no valid time.
 */
export function readTextTime(text: string, start = 0): TextTime | undefined {
  const year = digitsAt(text, start, 4)
  const separator = text.charCodeAt(start + 4)
  if (year < 0 || (separator !== dash && separator !== slash) || text.charCodeAt(start + 7) !== separator)
    return undefined
  const between = text.charCodeAt(start + 10)
  if (between !== upperT && between !== space && between !== lowerT) return undefined
  const clock = readClockTime(text, start + 11)
  if (clock === undefined) return undefined
  const { zone, end } = readZone(text, clock.end)
  const month = digitsAt(text, start + 5, 2)
  const day = digitsAt(text, start + 8, 2)
  return timeOf({ ...clock, year, month, day, zone }, end)
}

/** A time of day at a position of a text, such as `12:00:01` or `12:00:01.123`. */
export interface ClockTime {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanos: number
  readonly end: number
}

/** Reads a time of day with a fraction of any length. Returns undefined if there is no valid one. */
export function readClockTime(text: string, start: number): ClockTime | undefined {
  const hour = digitsAt(text, start, 2)
  const minute = digitsAt(text, start + 3, 2)
  const second = digitsAt(text, start + 6, 2)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return undefined
  if (text.charCodeAt(start + 2) !== colon || text.charCodeAt(start + 5) !== colon) return undefined
  let end = start + 8
  let nanos = 0
  const mark = text.charCodeAt(end)
  if ((mark === dot || mark === comma) && isDigit(text.charCodeAt(end + 1))) {
    let unit = 100_000_000
    for (end++; isDigit(text.charCodeAt(end)); end++) {
      nanos += (text.charCodeAt(end) - zero) * unit
      unit = unit === 1 ? 0 : unit / 10
    }
  }
  return { hour, minute, second, nanos, end }
}

/** Returns the time of a calendar time; undefined if it is not valid. */
export function timeOf(
  { year, month, day, hour, minute, second, nanos, zone }: CalendarTime,
  end: number,
): TextTime | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined
  const millis =
    zone === undefined
      ? localMillis(year, month, day, hour, minute, second)
      : Date.UTC(year, month - 1, day, hour, minute, second) - zone * 60_000
  return exactTime(millis, nanos, end)
}

// The last quarter of an hour, because consecutive records are often in the same one, and a Date of local time costs more than the rest.
let cachedQuarter = NaN
let cachedMillis = NaN

/** Returns a time in the zone of this system. */
function localMillis(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const start = minute - (minute % 15)
  const quarter = ((year * 12 + month) * 32 + day) * 96 + hour * 4 + start / 15
  if (quarter !== cachedQuarter) {
    const first = new Date(year, month - 1, day, hour, start).getTime()
    const last = new Date(year, month - 1, day, hour, start + 14, 59).getTime()
    // The offset of a zone can change in a quarter.
    cachedQuarter = last - first === 899_000 ? quarter : NaN
    cachedMillis = first
  }
  // A leap second can be after a change.
  return quarter === cachedQuarter && second < 60
    ? cachedMillis + ((minute - start) * 60 + second) * 1_000
    : new Date(year, month - 1, day, hour, minute, second).getTime()
}

/** Returns a time of whole milliseconds since the epoch, and nanoseconds that are added to it. */
export function exactTime(millis: number, nanos: number, end = 0): TextTime {
  return { time: millis + nanos / 1e6, timeUnixNano: BigInt(millis) * 1_000_000n + BigInt(nanos), end }
}

/** Reads `Z`, `+01:00`, `+0100` or `+01`, which a space may precede. The end is `start` if there is no zone. */
function readZone(text: string, start: number): { zone: number | undefined; end: number } {
  const at = text.charCodeAt(start) === space ? start + 1 : start
  const sign = text.charCodeAt(at)
  if (at === start && (sign === upperZ || sign === lowerZ)) return { zone: 0, end: start + 1 }
  if (sign !== plus && sign !== dash) return { zone: undefined, end: start }
  const hours = digitsAt(text, at + 1, 2)
  if (hours < 0) return { zone: undefined, end: start }
  const minutesAt = text.charCodeAt(at + 3) === colon ? at + 4 : at + 3
  const minutes = digitsAt(text, minutesAt, 2)
  // After a space, only the long form is a zone: `- 12` may be text.
  if (minutes < 0)
    return at === start ? { zone: signed(sign, hours * 60), end: at + 3 } : { zone: undefined, end: start }
  return { zone: signed(sign, hours * 60 + minutes), end: minutesAt + 2 }
}

function signed(sign: number, minutes: number): number {
  return sign === dash ? -minutes : minutes
}

/** Returns the number of a fixed count of digits; -1 if there is another character. */
export function digitsAt(text: string, start: number, count: number): number {
  let number = 0
  for (let at = start; at < start + count; at++) {
    const code = text.charCodeAt(at)
    if (!isDigit(code)) return -1
    number = number * 10 + code - zero
  }
  return number
}

/** Returns whether a character is a decimal digit. */
export function isDigit(code: number): boolean {
  return code >= zero && code <= 57
}

const zero = 48
const dash = 45
const slash = 47
const dot = 46
const comma = 44
const colon = 58
const space = 32
const plus = 43
const upperT = 84
const lowerT = 116
const upperZ = 90
const lowerZ = 122
