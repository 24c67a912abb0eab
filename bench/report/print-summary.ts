import { formatFigure } from '../figures.ts'
import { labelOf, summaryCharts, type SummaryChart } from '../summary.ts'
import { ratioText, withRange } from './cells.ts'
import { problemsOf, type Group } from './group.ts'
import { measuredRow, type MeasuredRow } from './summary-rows.ts'
import { table } from './table.ts'

/** Returns the figures of the summary in one table, and the reasons why figures are invalid. */
export function summaryText(groups: readonly Group[]): string {
  const sections = summaryCharts.flatMap((chart) => rowsOf(chart, groups))
  const problems = groups.flatMap(({ scenario, variant, results }) =>
    results.flatMap((result) =>
      problemsOf(result).map((problem) => `  INVALID, ${scenario}, ${variant}, ${result.subject}: ${problem}`),
    ),
  )
  const head = ['median (min-max)', 'sluice', 'main rival', 'ratio', 'better than sluice']
  return [table(head, sections, ''), ...problems].join('\n')
}

function rowsOf({ title, rows }: SummaryChart, groups: readonly Group[]): string[][] {
  const measured = rows.flatMap((row) => measuredRow(row, groups) ?? [])
  return measured.length === 0 ? [] : [[title, '', '', '', ''], ...measured.map(rowOf)]
}

function rowOf({ row, ours, main, ratio, winners }: MeasuredRow): string[] {
  const text = (value: number): string => formatFigure(value, row.figure)
  return [
    `  ${row.title}`,
    text(ours.median),
    main === undefined ? '-' : `${labelOf(row.subjects[1])} ${text(main.median)}`,
    ratio === undefined ? '-' : withRange(ratio, ratioText),
    winners.map(({ subject, value }) => `${labelOf(subject)} ${text(value.median)}`).join('; ') || '-',
  ]
}
