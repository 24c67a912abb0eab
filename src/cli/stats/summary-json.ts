import { addMembers } from '../../options/define-member.ts'
import { lossCounts } from '../report/loss-counts.ts'
import type { GroupTable, GroupValues, RecordCounts } from './group-table.ts'
import type { NumberDistribution } from './number-distribution.ts'
import type { Statistics } from './statistics.ts'
import { templateText } from '../../read/templates/templates.ts'
import { alignedTo, type IntervalCounts } from './timeline.ts'

/**
 * Returns a summary as a line of JSON. Times are in ISO 8601, lengths of time in milliseconds.
 *
 * @param top - the largest number of groups; 0 for all
 */
export function summaryJson(statistics: Statistics, files: readonly string[], top: number): string {
  const { total, textLines, unmatched, withoutTime, byFormat, byLevel, groups, percentileKeys } = statistics
  const timeline = total.timeline.snapshot()
  const span = total.last - total.first
  const countsOf = (counts: RecordCounts) => ({
    count: counts.count,
    first: isoTime(counts.first),
    last: isoTime(counts.last),
    ratePerSecond: span > 0 ? (counts.count * 1_000) / span : null,
    timeline: alignedTo(timeline, counts.timeline.snapshot()),
    ...(counts.distributions.length > 0 && { percentiles: percentilesOf(counts, percentileKeys) }),
  })
  const sorted = groups.sorted()
  const shown = top === 0 ? sorted : sorted.slice(0, top)
  const summary = {
    files,
    records: total.count,
    textLines,
    unmatched,
    withoutTime,
    formats: Object.fromEntries(byFormat),
    ...intervalsOf(timeline),
    total: countsOf(total),
    levels: byLevel.sorted().map((group) => addMembers({ level: group.values[0] ?? null }, countsOf(group))),
    by: groups.by,
    groups: shown.map((group) => {
      const values = valuesOf(groups, group.values)
      return addMembers(group.isText ? { values, isText: true } : { values }, countsOf(group))
    }),
    otherGroups: sorted.length - shown.length,
    otherCount: sorted.slice(shown.length).reduce((sum, { count }) => sum + count, groups.ungrouped),
    losses: lossCounts(statistics.losses),
  }
  return `${JSON.stringify(summary)}\n`
}

function intervalsOf({ interval, first, counts }: IntervalCounts): object {
  return counts.length === 0
    ? { interval: null, timelineStart: null }
    : { interval, timelineStart: isoTime(first * interval) }
}

function valuesOf({ by }: GroupTable, values: GroupValues): object {
  return Object.fromEntries(
    by.map((key, index) => {
      const value = values[index]
      return [key, value === undefined ? null : typeof value === 'string' ? value : templateText(value)]
    }),
  )
}

function percentilesOf({ distributions }: RecordCounts, keys: readonly string[]): object {
  return Object.fromEntries(
    distributions.map((distribution, index) => [
      keys[index],
      distribution.count === 0 ? null : percentileNumbers(distribution),
    ]),
  )
}

/** JSON writes null for a quantile that is unknown. */
function percentileNumbers(distribution: NumberDistribution): object {
  const { count, min, max, mean } = distribution
  return {
    count,
    min,
    max,
    mean,
    p50: distribution.quantile(0.5),
    p90: distribution.quantile(0.9),
    p95: distribution.quantile(0.95),
    p99: distribution.quantile(0.99),
  }
}

function isoTime(time: number): string | null {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : null
}
