/** Milliseconds for which the offset of a time zone is cached. Time zones change at multiples of a quarter of an hour. */
const slotMillis = 900_000

/** Computes the offset of a time zone from UTC, and caches that of the last quarter of an hour. */
export class ZoneOffset {
  private readonly compute: (time: number) => number
  private lastSlot = NaN
  private lastOffset = 0

  /** @param zone - `local`, `utc` or the name of an IANA time zone */
  constructor(zone: string) {
    this.compute = zone === 'utc' ? () => 0 : zone === 'local' ? localOffset : zonedOffset(zone)
  }

  /** Returns the offset at a time that a Date can represent, in milliseconds; positive to the east of UTC. */
  at(time: number): number {
    const slot = Math.floor(time / slotMillis)
    if (slot !== this.lastSlot) {
      this.lastOffset = this.compute(slot * slotMillis)
      this.lastSlot = slot
    }
    return this.lastOffset
  }
}

function localOffset(time: number): number {
  return -new Date(time).getTimezoneOffset() * 60_000
}

function zonedOffset(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    // `GMT`, `GMT+05:30`, or `GMT-00:01:15` for times before time zones had whole minutes.
    const [, sign = '', hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? []
    const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
    return sign === '-' ? -offset : offset
  }
}
