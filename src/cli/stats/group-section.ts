import { sgr } from '../../encode/pretty/colors.ts'
import { tableLines } from '../text-table.ts'
import type { Group, GroupTable } from './group-table.ts'
import { keyColumns, type GroupColumn } from './key-columns.ts'
import { amountText, countText, rateText } from '../report/number-text.ts'
import { sparkline } from './sparkline.ts'
import { shownItems, type SummaryView } from './summary-view.ts'
import { alignedTo } from './timeline.ts'

/** Returns the lines of a table of groups, the largest first. */
export function groupSection(table: GroupTable, view: SummaryView): string[] {
  const groups = table.sorted()
  const shown = shownItems(groups, view.layout)
  if (shown.length === 0) return []
  const sum = groups.reduce((total, { count }) => total + count, table.ungrouped)
  const keys = keyColumns(table, shown)
  const columns = [...keys.left, ...countColumns(sum, view), ...timeColumns(view), ...keys.right]
  const rows = shown.map((group) => columns.map(({ cell }) => cell(group)))
  return [...tableLines(columns, rows, view.layout.columns, view.paint), ...restLines(table, groups, view)]
}

function countColumns(sum: number, { span }: SummaryView): GroupColumn[] {
  const columns = [
    numberColumn('COUNT', 0, ({ count }) => countText(count)),
    numberColumn('%', 4, ({ count }) => ((100 * count) / sum).toFixed(1)),
  ]
  if (span > 0) columns.push(numberColumn('RATE', 3, ({ count, isText }) => (isText ? '' : rateText(count, span))))
  return columns
}

function timeColumns({ times, timeline }: SummaryView): GroupColumn[] {
  if (timeline.counts.length === 0) return []
  const columns = [
    numberColumn('FIRST', 2, ({ first }) => (first < Infinity ? times.short(first) : '')),
    numberColumn('LAST', 2, ({ last }) => (last > -Infinity ? times.short(last) : '')),
  ]
  if (timeline.counts.length === 1) return columns
  const bars = (group: Group) => sparkline(alignedTo(timeline, group.timeline.snapshot()))
  return [...columns, { title: 'TIMELINE', dropOrder: 1, cell: (group) => ({ text: bars(group), style: sgr.cyan }) }]
}

function numberColumn(title: string, dropOrder: number, text: (group: Group) => string): GroupColumn {
  return { title, dropOrder, isRightAligned: true, cell: (group) => ({ text: text(group) }) }
}

function restLines({ ungrouped }: GroupTable, groups: readonly Group[], { layout, paint }: SummaryView): string[] {
  const rest = groups.slice(shownItems(groups, layout).length)
  const lines: string[] = []
  if (rest.length > 0) {
    const sum = rest.reduce((total, { count }) => total + count, 0)
    lines.push(`and ${amountText(rest.length, 'more group')} with ${countText(sum)} in all; --top 0 shows all groups`)
  }
  if (ungrouped > 0) lines.push(`and ${countText(ungrouped)} without a group, because there are too many groups`)
  return lines.map((line) => paint(sgr.dim, line))
}
