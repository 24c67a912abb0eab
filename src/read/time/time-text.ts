import { parseDuration } from '../../options/duration.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { dayOf, instantOf, type CalendarTime } from './calendar.ts'

/** How a time in a text is understood. */
export interface TimeTextOptions {
  /** Milliseconds since the Unix epoch, from which relative times and times of the day are counted. @defaultValue `Date.now()` */
  readonly now?: number | undefined
  /** The zone of times without one: `local`, `utc` or the name of an IANA time zone. @defaultValue `'local'` */
  readonly timeZone?: string | undefined
}

/** The forms of a time, for messages. */
export const timeTextForms = '2026-11-23, 2026-11-23T10:30:00Z, 10:30, -3d, -15m, yesterday or seconds since 1970'

/**
 * Parses a time: a date with or without a time and a zone in ISO 8601, a time of today, a duration before now such as `-3d`, `-15m` or
 * `-1h30m`, `now`, `today` and `yesterday` (their beginning), or seconds, milliseconds, microseconds or nanoseconds since the Unix epoch.
 *
 * @returns milliseconds since the Unix epoch, with a fraction if the text has one; undefined if the text is not a time
 */
export function parseTimeText(text: string, options: TimeTextOptions = {}): number | undefined {
  const { now = Date.now(), timeZone = 'local' } = withoutPrototype(options)
  if (text.length > maxLength) return undefined
  const trimmed = text.trim()
  return (
    namedTime(trimmed.toLowerCase(), now, timeZone) ??
    epochTime(trimmed) ??
    relativeTime(trimmed, now) ??
    calendarTime(trimmed, now, timeZone)
  )
}

/** Returns whether a text is a time that `parseTimeText` can parse. */
export function isTimeText(text: string): boolean {
  return parseTimeText(text, { now: 0, timeZone: 'utc' }) !== undefined
}

const maxLength = 64

function namedTime(name: string, now: number, timeZone: string): number | undefined {
  if (name === 'now') return now
  if (name === 'today') return instantOf(dayOf(now, timeZone), timeZone)
  if (name !== 'yesterday') return undefined
  const today = dayOf(now, timeZone)
  return instantOf({ ...today, day: today.day - 1 }, timeZone)
}

const relative = /^([+-]?)((?:\d+(?:\.\d+)?(?:ms|[smhdw]))+)$/i

/** Parses a duration. Without a sign, it is before now, like the one of `docker logs --since 10m`. */
function relativeTime(text: string, now: number): number | undefined {
  const [, sign, duration] = relative.exec(text) ?? []
  if (duration === undefined) return undefined
  const millis = parseDuration(duration.toLowerCase())
  if (millis === undefined) return undefined
  return inRange(sign === '+' ? now + millis : now - millis)
}

/** Parses a number since the epoch. Its unit follows from its size; numbers before 1973 need `@`, and are seconds. */
function epochTime(text: string): number | undefined {
  const [, at, number] = /^(@?)(-?\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (number === undefined) return undefined
  const value = Number(number)
  if (at === '@') return inRange(value * 1_000)
  if (value < minEpochSeconds) return undefined
  return inRange(value < 1e11 ? value * 1_000 : value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6)
}

const minEpochSeconds = 1e8

const dateAndClock = /^(?:([1-9]\d{3})-(\d{2})(?:-(\d{2})(?:[T ](?=\d)|$)|$))?(.*)$/i
const clock = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** Parses a date, a time of today, or both. */
function calendarTime(text: string, now: number, timeZone: string): number | undefined {
  const [, year, month, day = '1', clockText = ''] = dateAndClock.exec(text) ?? []
  const parts = clock.exec(clockText)
  if (parts === null && (year === undefined || clockText !== '')) return undefined
  const [, hour, minute, second, fraction, zone = timeZone] = parts ?? []
  const date = year === undefined ? dayOf(now, zone) : { year: Number(year), month: Number(month), day: Number(day) }
  const time = { ...date, hour: Number(hour ?? 0), minute: Number(minute ?? 0), second: Number(second ?? 0) }
  if (!isValid(time)) return undefined
  return inRange(instantOf(time, zone) + Number(`0.${fraction ?? 0}`) * 1_000)
}

function isValid({ year, month, day, hour, minute, second }: Required<CalendarTime>): boolean {
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth && hour <= 23 && minute <= 59 && second <= 59
}

/** Returns a time if a Date can represent it. */
function inRange(time: number): number | undefined {
  return Math.abs(time) <= 8.64e15 ? time : undefined
}
