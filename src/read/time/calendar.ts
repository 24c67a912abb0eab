import { withoutPrototype } from '../../options/own-members.ts'

/** A date and a time of the day, without a zone. */
export interface CalendarTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. A number outside the month is a day of another month, such as 0 for the last day of the month before. */
  readonly day: number
  readonly hour?: number
  readonly minute?: number
  readonly second?: number
}

/**
 * Returns the instant of a calendar time in a zone, in milliseconds since the Unix epoch. A time that is skipped when clocks are set
 * forward is moved forward, and of a time that occurs twice the first one is returned, as by `Date`.
 *
 * @param zone - `local`, `utc`, the name of an IANA time zone, or an offset such as `Z` and `+01:00`
 */
export function instantOf(time: CalendarTime, zone: string): number {
  const { year, month, day, hour = 0, minute = 0, second = 0 } = time
  if (zone === 'local') return new Date(year, month - 1, day, hour, minute, second).getTime()
  const utc = Date.UTC(year, month - 1, day, hour, minute, second)
  const offset = fixedOffset(zone)
  if (offset !== undefined) return utc - offset
  const offsetBefore = zoneOffset(utc - dayMillis, zone)
  const offsetAfter = zoneOffset(utc + dayMillis, zone)
  // Find the first instant at which the clocks of the zone show the time. For a skipped time, the offset before the change applies.
  for (const candidate of [offsetBefore, offsetAfter]) {
    if (zoneOffset(utc - candidate, zone) === candidate) return utc - candidate
  }
  return utc - offsetBefore
}

/** Returns the date that a calendar in a zone shows at an instant. */
export function dayOf(instant: number, zone: string): CalendarTime {
  const offset =
    zone === 'local'
      ? -new Date(instant).getTimezoneOffset() * 60_000
      : (fixedOffset(zone) ?? zoneOffset(instant, zone))
  const date = new Date(instant + offset)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const dayMillis = 86_400_000

/** Returns the offset of `utc` or of a zone such as `+01:00`, in milliseconds; undefined for a named zone. */
function fixedOffset(zone: string): number | undefined {
  if (/^(?:utc|z)$/i.test(zone)) return 0
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (hours === undefined) return undefined
  const offset = Number(hours) * 3_600_000 + Number(minutes ?? 0) * 60_000
  return sign === '-' ? -offset : offset
}

/** Returns how many milliseconds the clocks of a zone are ahead of UTC at an instant. */
function zoneOffset(instant: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const shown = Date.UTC(
    parts.get('year')!,
    parts.get('month')! - 1,
    parts.get('day'),
    parts.get('hour'),
    parts.get('minute'),
    parts.get('second'),
  )
  return shown - Math.floor(instant / 1_000) * 1_000
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(
    'en-GB',
    withoutPrototype({
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
  )
}
