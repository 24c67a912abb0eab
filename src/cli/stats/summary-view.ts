import { painter, type Paint } from '../../encode/pretty/colors.ts'
import type { TimeFormat } from '../../encode/pretty/time.ts'
import type { Statistics } from './statistics.ts'
import { fittedTo, type IntervalCounts } from './timeline.ts'
import { timeTexts, type TimeTexts } from './time-texts.ts'

/** How a summary is shown. */
export interface SummaryLayout {
  /** The width of the terminal in columns; Infinity without a terminal. */
  readonly columns: number
  readonly usesColors: boolean
  readonly time: TimeFormat
  /** The largest number of groups in a table; 0 for all. */
  readonly top: number
}

/** The data that all sections of a summary share. */
export interface SummaryView {
  readonly layout: SummaryLayout
  readonly paint: Paint
  readonly times: TimeTexts
  /** The time from the first to the last record in milliseconds; NaN or 0 if it is unknown. */
  readonly span: number
  /** The timeline of all records, with as many intervals as there are columns for it. */
  readonly timeline: IntervalCounts
}

const minBars = 8
const maxBars = 40
/** Without a terminal. */
const defaultBars = 16

/** Returns the data that all sections of a summary share. */
export function summaryView({ total }: Statistics, layout: SummaryLayout): SummaryView {
  const { columns } = layout
  const bars = Number.isFinite(columns) ? Math.min(maxBars, Math.max(minBars, Math.floor(columns / 6))) : defaultBars
  return {
    layout,
    paint: painter(layout.usesColors),
    times: timeTexts(layout.time, total.first, total.last),
    span: total.last - total.first,
    timeline: fittedTo(bars, total.timeline.snapshot()),
  }
}

/** Returns the items that a table shows. */
export function shownItems<T>(items: readonly T[], { top }: SummaryLayout): readonly T[] {
  return top === 0 ? items : items.slice(0, top)
}
