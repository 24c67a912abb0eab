import { isInDateRange } from '../encode/pretty/time.ts'
import { ZoneOffset } from '../encode/pretty/zone-offset.ts'

/**
 * Formats times as RFC 3339 text: in UTC with `Z`, in another zone with its offset. The milliseconds are always written, and the digits
 * after them if the time has some. The text of the last second is cached.
 */
export class IsoTime {
  private readonly zone: ZoneOffset
  private readonly isUtc: boolean
  private lastSecond = NaN
  /** The text of the last second, with the decimal point. */
  private secondText = ''
  private offsetText = 'Z'

  /** @param zone - `local`, `utc` or the name of an IANA time zone */
  constructor(zone: string) {
    this.isUtc = zone === 'utc'
    this.zone = new ZoneOffset(zone)
  }

  /**
   * Returns the text of a time; undefined if a Date cannot represent it.
   *
   * @param time - milliseconds since the Unix epoch
   * @param timeUnixNano - the exact time, if it is known
   */
  format(time: number | undefined, timeUnixNano: bigint | undefined): string | undefined {
    if (time === undefined || !isInDateRange(time)) return undefined
    const millis = Math.floor(time)
    const second = Math.floor(millis / 1_000)
    if (second !== this.lastSecond) this.readSecond(second)
    const rest = millis - second * 1_000
    // Most times have whole milliseconds, and then no arithmetic with BigInt is needed.
    const nanos = time === millis && !hasNanos(timeUnixNano) ? '' : nanosText(time, millis, timeUnixNano)
    return this.secondText + (rest < 10 ? '00' : rest < 100 ? '0' : '') + rest + nanos + this.offsetText
  }

  private readSecond(second: number): void {
    this.lastSecond = second
    const offset = this.isUtc ? 0 : this.zone.at(second * 1_000)
    const shifted = second * 1_000 + offset
    // A time at an end of the range of a Date can leave that range when it is shifted.
    const isValid = isInDateRange(shifted)
    this.secondText = new Date(isValid ? shifted : second * 1_000).toISOString().slice(0, -4)
    this.offsetText = this.isUtc || !isValid ? 'Z' : offsetText(offset)
  }
}

function hasNanos(timeUnixNano: bigint | undefined): boolean {
  return timeUnixNano !== undefined && timeUnixNano % 1_000_000n !== 0n
}

/** Returns the digits after the milliseconds, in groups of three. */
function nanosText(time: number, millis: number, timeUnixNano: bigint | undefined): string {
  // A double represents a present-day time with a resolution of about a quarter of a microsecond.
  const nanos =
    timeUnixNano === undefined ? Math.floor((time - millis) * 1_000) * 1_000 : Number(timeUnixNano % 1_000_000n)
  const digits = String(nanos < 0 ? nanos + 1_000_000 : nanos).padStart(6, '0')
  return digits.endsWith('000') ? digits.slice(0, 3).replace('000', '') : digits
}

function offsetText(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
