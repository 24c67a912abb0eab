import { parseDuration } from './number-value.ts'
import { UsageError } from './usage-error.ts'

const dayPattern = /^(\d{4})-(\d\d)-(\d\d)$/
const dateTimePattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/i
const timeOfDayPattern = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?$/

/** A point in time, or a whole day, in milliseconds since the Unix epoch. */
export interface TimeRange {
  readonly start: number
  /** The end, which is not part of the range; equal to the start for a point in time. */
  readonly end: number
}

/** What a time without an offset means. */
export interface TimeContext {
  /** The current time in milliseconds since the Unix epoch. */
  readonly now: number
  readonly isUtc: boolean
}

/**
 * Parses the value of `--since` or `--until`.
 *
 * @param option - the name of the option for the error, with its dashes
 * @throws UsageError if the text is not a time.
 */
export function parseTimeRange(text: string, context: TimeContext, option: string): TimeRange {
  const range = wordRange(text.trim().toLowerCase(), context) ?? dateRange(text.trim(), context)
  if (range !== undefined) return range
  throw new UsageError(
    `${option}: '${text}' is not a time; write 2026-03-01, 2026-03-01T10:30:00Z, 10:30, -3d, -1h30m, today or yesterday`,
  )
}

function wordRange(word: string, context: TimeContext): TimeRange | undefined {
  const { now } = context
  if (word === 'now') return point(now)
  if (word === 'today') return day(context, 0)
  if (word === 'yesterday') return day(context, -1)
  const duration = word.startsWith('-') ? parseDuration(word.slice(1)) : undefined
  return duration === undefined ? undefined : point(now - duration)
}

/** Returns the day that is so many days after today. */
function day(context: TimeContext, offset: number): TimeRange {
  const { year, month, date } = today(context)
  const start = timeOf(context, [year, month, date + offset])
  return { start, end: timeOf(context, [year, month, date + offset + 1]) }
}

function today({ now, isUtc }: TimeContext): { year: number; month: number; date: number } {
  const current = new Date(now)
  return isUtc
    ? { year: current.getUTCFullYear(), month: current.getUTCMonth(), date: current.getUTCDate() }
    : { year: current.getFullYear(), month: current.getMonth(), date: current.getDate() }
}

function dateRange(text: string, context: TimeContext): TimeRange | undefined {
  const wholeDay = dayPattern.exec(text)
  if (wholeDay !== null) {
    const [year, month, date] = wholeDay.slice(1, 4).map(Number) as [number, number, number]
    if (!isDate(year, month, date)) return undefined
    const start = timeOf(context, [year, month - 1, date])
    return { start, end: timeOf(context, [year, month - 1, date + 1]) }
  }
  const dateTime = dateTimePattern.exec(text)
  if (dateTime !== null) {
    const [year, month, date] = dateTime.slice(1, 4).map(Number) as [number, number, number]
    const clock = clockOf(dateTime[4], dateTime[5], dateTime[6], dateTime[7])
    if (!isDate(year, month, date) || clock === undefined) return undefined
    const zone = dateTime[8]
    const time = timeOf(zone === undefined ? context : { ...context, isUtc: true }, [year, month - 1, date, ...clock])
    return point(time - offsetOf(zone))
  }
  const timeOfDay = timeOfDayPattern.exec(text)
  const clock = timeOfDay === null ? undefined : clockOf(timeOfDay[1], timeOfDay[2], timeOfDay[3], timeOfDay[4])
  if (clock === undefined) return undefined
  const { year, month, date } = today(context)
  return point(timeOf(context, [year, month, date, ...clock]))
}

type DateFields = [number, number, number, number?, number?, number?, number?]

function timeOf({ isUtc }: TimeContext, fields: DateFields): number {
  const [year, month, date, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = fields
  const whole = Math.floor(milliseconds)
  const time = isUtc
    ? Date.UTC(year, month, date, hours, minutes, seconds, whole)
    : new Date(year, month, date, hours, minutes, seconds, whole).getTime()
  return time + (milliseconds - whole)
}

/** Returns hours, minutes, seconds and milliseconds; undefined if one is out of range. */
function clockOf(
  hours: string | undefined,
  minutes: string | undefined,
  seconds = '0',
  fraction = '0',
): [number, number, number, number] | undefined {
  const clock = [Number(hours), Number(minutes), Number(seconds)] as const
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return undefined
  return [...clock, Number(`0.${fraction}`) * 1000]
}

function isDate(year: number, month: number, date: number): boolean {
  return month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Returns the milliseconds by which a time zone such as `+02:00` is ahead of UTC. */
function offsetOf(zone: string | undefined): number {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '')
  if (match === null) return 0
  const milliseconds = (Number(match[2]) * 60 + Number(match[3])) * 60_000
  return match[1] === '-' ? -milliseconds : milliseconds
}

function point(time: number): TimeRange {
  return { start: time, end: time }
}
