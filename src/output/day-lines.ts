import { isInDateRange, type TimeFormat } from '../encode/pretty/time.ts'
import { painter, sgr } from '../encode/pretty/colors.ts'
import { ZoneOffset } from '../encode/pretty/zone-offset.ts'

const dayMillis = 86_400_000

/** Creates the lines between records of different days, because records on a terminal show only the time of day. */
export class DayLines {
  private readonly zone: ZoneOffset
  private readonly paint: ReturnType<typeof painter>
  private lastDay: number
  /** The limits of times that are certainly on the last day. */
  private from = NaN
  private to = NaN

  /** @param now - the current time. Records of that day need no line before the first of them */
  constructor(format: TimeFormat, usesColors: boolean, now: number) {
    this.zone = new ZoneOffset(format)
    this.paint = painter(usesColors)
    this.lastDay = this.dayOf(now)
  }

  /** Returns the line before a record with its line end; '' if the record is of the same day as the last one, or has no time. */
  before(time: number): string {
    if ((time >= this.from && time < this.to) || !isInDateRange(time)) return ''
    const day = this.dayOf(time)
    if (day === this.lastDay) return ''
    this.lastDay = day
    const date = new Date(day * dayMillis)
    const text = Number.isNaN(date.getTime()) ? 'another day' : date.toISOString().slice(0, -14)
    return `${this.paint(sgr.dim, `── ${text} ──`)}\n`
  }

  /** Returns the number of the day in the zone, and remembers the quarter of an hour, whose offset is known. */
  private dayOf(time: number): number {
    const offset = this.zone.at(time)
    const day = Math.floor((time + offset) / dayMillis)
    const slot = Math.floor(time / slotMillis)
    this.from = slot * slotMillis
    this.to = this.from + slotMillis
    return day
  }
}

/** No day begins within a quarter of an hour of UTC in any zone of today. */
const slotMillis = 900_000
