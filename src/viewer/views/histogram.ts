import { levelClasses, levelClassOf } from './level-classes.ts'
import type { RowList } from './row-list.ts'

/** The numbers of rows in equal intervals of time. */
export interface Histogram {
  /** The start of the first interval, in ms since the Unix epoch. */
  readonly from: number
  /** The end of the last interval, in ms since the Unix epoch. */
  readonly until: number
  /** For each interval, the number of rows of each class of levels. */
  readonly counts: readonly (readonly number[])[]
}

/** Counts the rows from one time to another in equal intervals. */
export function histogramOf(rows: RowList, from: number, until: number, intervals: number): Histogram {
  const { times, severities } = rows
  const counts = Array.from({ length: intervals }, () => levelClasses.map(() => 0))
  const width = (until - from) / intervals
  const end = rows.indexOf(until)
  for (let index = rows.indexOf(from); index < end; index++) {
    const interval = Math.min(intervals - 1, Math.floor((times[index]! - from) / width))
    counts[interval]![levelClassOf(severities[index]!)]!++
  }
  return { from, until, counts }
}
