import { escapeForTerminal } from '../../encode/pretty/visible.ts'
import { sgr } from '../../encode/pretty/colors.ts'
import { tableLines, type Cell, type Column } from '../text-table.ts'
import type { GroupTable, RecordCounts } from './group-table.ts'
import { keyColumns } from './key-columns.ts'
import type { NumberDistribution } from './number-distribution.ts'
import { countText, valueText } from '../report/number-text.ts'
import { shownItems, type SummaryView } from './summary-view.ts'

const parts: readonly (Column & { text(distribution: NumberDistribution): string })[] = [
  { title: 'VALUES', isRightAligned: true, dropOrder: 2, text: ({ count }) => countText(count) },
  { title: 'MIN', isRightAligned: true, dropOrder: 3, text: ({ min }) => valueText(min) },
  { title: 'MEAN', isRightAligned: true, dropOrder: 4, text: ({ mean }) => valueText(mean) },
  { title: 'P50', isRightAligned: true, text: (distribution) => valueText(distribution.quantile(0.5)) },
  { title: 'P90', isRightAligned: true, dropOrder: 1, text: (distribution) => valueText(distribution.quantile(0.9)) },
  { title: 'P95', isRightAligned: true, text: (distribution) => valueText(distribution.quantile(0.95)) },
  { title: 'P99', isRightAligned: true, text: (distribution) => valueText(distribution.quantile(0.99)) },
  { title: 'MAX', isRightAligned: true, text: ({ max }) => valueText(max) },
]

/** Returns the lines of the percentiles of an attribute, for all records and for each group. */
export function percentileSection(
  key: string,
  index: number,
  total: RecordCounts,
  table: GroupTable,
  view: SummaryView,
): string[] {
  const { paint, layout } = view
  const distribution = total.distributions[index]!
  const name = escapeForTerminal(key)
  if (distribution.count === 0) return [paint(sgr.bold, `${name} is not a number in any record`)]
  const groups = table.sorted().filter(({ distributions }) => distributions[index]!.count > 0)
  const shown = shownItems(groups, layout)
  const keys = keyColumns(table, shown)
  const all = [...keys.left, ...keys.right].map((_, place): Cell => ({ text: place === 0 ? 'all' : '' }))
  const rows = [
    row(total, all.slice(0, keys.left.length), all.slice(keys.left.length)),
    ...shown.map((group) =>
      row(
        group,
        keys.left.map(({ cell }) => cell(group)),
        keys.right.map(({ cell }) => cell(group)),
      ),
    ),
  ]
  const lines = tableLines([...keys.left, ...parts, ...keys.right], rows, layout.columns, paint)
  if (groups.some(({ distributions }) => distributions[index]!.isIncomplete)) {
    lines.push(paint(sgr.dim, 'a percentile is missing where there are too many different numbers'))
  }
  return [paint(sgr.bold, name), ...lines]

  function row({ distributions }: RecordCounts, left: readonly Cell[], right: readonly Cell[]): Cell[] {
    return [...left, ...parts.map(({ text }) => ({ text: text(distributions[index]!) })), ...right]
  }
}
