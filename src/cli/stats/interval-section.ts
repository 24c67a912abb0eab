import { sgr } from '../../encode/pretty/colors.ts'
import { tableLines, type Column } from '../text-table.ts'
import type { GroupTable, RecordCounts } from './group-table.ts'
import { intervalText } from './intervals.ts'
import { levelStyle } from './key-columns.ts'
import { countText } from '../report/number-text.ts'
import type { SummaryView } from './summary-view.ts'
import { alignedTo } from './timeline.ts'

const maxLevels = 6
const minBarWidth = 8
const maxBarWidth = 40
/** The usual width of the column of a count, with the space before it. */
const countWidth = 8

/** Returns the lines of a table that counts the records of each interval, in all and by level. */
export function intervalSection(total: RecordCounts, byLevel: GroupTable, view: SummaryView): string[] {
  const timeline = total.timeline.snapshot()
  if (timeline.counts.length === 0) return []
  const levels = byLevel
    .sorted()
    .slice(0, maxLevels)
    .map(({ values: [level], timeline: ofLevel }) => ({
      name: typeof level === 'string' ? level : '-',
      counts: alignedTo(timeline, ofLevel.snapshot()),
    }))
  const largest = timeline.counts.reduce((one, other) => Math.max(one, other), 0)
  const barWidth = Math.min(maxBarWidth, Math.max(minBarWidth, view.layout.columns - countWidth * (levels.length + 3)))
  const columns: readonly Column[] = [
    { title: 'FROM' },
    { title: 'COUNT', isRightAligned: true },
    ...levels.map(({ name }, index) => ({ title: name.toUpperCase(), isRightAligned: true, dropOrder: 2 + index })),
    { title: '', dropOrder: 1 },
  ]
  const rows = timeline.counts.map((count, index) => [
    { text: view.times.start((timeline.first + index) * timeline.interval, timeline.interval) },
    { text: countText(count), style: sgr.bold },
    ...levels.map(({ name, counts }) => ({
      text: counts[index] === 0 ? '' : countText(counts[index]!),
      style: levelStyle(name),
    })),
    { text: '█'.repeat(Math.ceil((count / largest) * barWidth)), style: sgr.cyan },
  ])
  const title = view.paint(sgr.bold, `Records for each ${intervalText(timeline.interval)}`)
  return [title, ...tableLines(columns, rows, view.layout.columns, view.paint)]
}
