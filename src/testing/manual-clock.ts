import { addMembers } from '../options/define-member.ts'

/** A clock that goes when it is told to: for `createLogger({ clock })`, and for whatever else asks for ms since the epoch. */
export interface ManualClock {
  /** The time, in ms since the Unix epoch. */
  (): number
  /** Lets so many ms pass; fractions are kept, and negative ones go back. */
  advance(millis: number): void
  /** Sets the time, as for `manualClock`. */
  set(time: string | number | Date): void
}

/**
 * Makes a clock that stands still.
 *
 * @param start - ms since the Unix epoch, a Date, or a date as text, best in RFC 3339. Default `2000-01-01T00:00:00.000Z`.
 *
 * @throws RangeError when a time is none.
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

/** The range is that of a Date (ECMA-262): beyond it a logger would take the system's time. */
function millisOf(time: string | number | Date): number {
  const millis = typeof time === 'number' ? time : new Date(time).getTime()
  if (!(Math.abs(millis) <= 8.64e15))
    throw new RangeError(`${String(time)} is no time: give ms since the epoch, or a date`)
  return millis
}
