import { addMembers } from '../options/define-member.ts'

/** A clock that changes only on request, for `createLogger({ clock })` and other functions that use ms since the Unix epoch. */
export interface ManualClock {
  /** Returns the time in ms since the Unix epoch. */
  (): number
  /** Advances the time by a number of ms, which may be fractional or negative. */
  advance(millis: number): void
  /** Sets the time, in the same formats as `manualClock`. */
  set(time: string | number | Date): void
}

/**
 * Creates a clock that does not advance by itself.
 *
 * @param start - ms since the Unix epoch, a Date, or a date string, preferably in RFC 3339; by default `2000-01-01T00:00:00.000Z`
 *
 * @throws RangeError when a time is invalid.
 */
export function manualClock(start: string | number | Date = '2000-01-01T00:00:00.000Z'): ManualClock {
  let now = millisOf(start)
  return addMembers(() => now, {
    advance(millis: number) {
      now = millisOf(now + millis)
    },
    set(time: string | number | Date) {
      now = millisOf(time)
    },
  })
}

/** Converts a time to ms. The range is that of a Date (ECMA-262): outside of it, a logger would use the system time. */
function millisOf(time: string | number | Date): number {
  const millis = typeof time === 'number' ? time : new Date(time).getTime()
  if (!(Math.abs(millis) <= 8.64e15))
    throw new RangeError(`${String(time)} is not a valid time: use ms since the Unix epoch, a Date or a date string`)
  return millis
}
