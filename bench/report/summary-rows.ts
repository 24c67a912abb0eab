import { formatFigure } from '../figures.ts'
import { labelOf, type SummaryChart, type SummaryRow } from '../summary.ts'
import type { SubjectName } from '../subjects/index.ts'
import { drawBars, type Bar, type BarBlock } from './chart-bars.ts'
import type { Chart } from './charts.ts'
import { favoursRival, ratioText, withRange } from './cells.ts'
import { isValid, valuesOf, type Group, type SubjectResult } from './group.ts'
import { isRival } from './rivals.ts'
import { pairwise, spread, type Spread } from './statistics.ts'

/** A row of the summary with its measurements. */
export interface MeasuredRow {
  readonly row: SummaryRow
  readonly ours: Spread
  /** The figure of the main rival. Undefined if it was not measured. */
  readonly main: Spread | undefined
  /** The figure of sluice divided by that of the main rival. */
  readonly ratio: Spread | undefined
  /** The rivals with a better median than sluice, the best first. */
  readonly winners: readonly { readonly subject: SubjectName; readonly value: Spread }[]
}

/** Returns undefined if sluice was not measured, or its figures are invalid. */
export function measuredRow(row: SummaryRow, groups: readonly Group[]): MeasuredRow | undefined {
  const results = resultsOf(row, groups)
  const [ours, main] = row.subjects.slice(0, 2).map((name) => results.find(({ subject }) => subject === name))
  if (ours === undefined) return undefined
  const value = valueOf(row, ours)
  const winners = results
    .filter(({ subject }) => isRival(subject))
    .map((result) => ({ subject: result.subject, value: valueOf(row, result) }))
    .filter(({ value: theirs }) => favoursRival(value.median / theirs.median, row.figure))
    .toSorted((a, b) => a.value.median - b.value.median)
  return {
    row,
    ours: value,
    main: main && valueOf(row, main),
    ratio: main && spread(pairwise(valuesOf(ours, row.figure), valuesOf(main, row.figure))),
    winners,
  }
}

/** Returns the chart of measured rows, or undefined if they have only one subject. */
export function summaryChart({ name, title, rows }: SummaryChart, groups: readonly Group[]): Chart | undefined {
  const blocks = rows.map((row): BarBlock => {
    const results = resultsOf(row, groups).filter(({ subject }) => row.subjects.includes(subject))
    const bars = results.map((result): Bar => ({
      label: labelOf(result.subject),
      value: valueOf(row, result),
      isOurs: result.subject === row.subjects[0],
      figure: row.figure,
    }))
    return { title: row.title, bars }
  })
  const drawn = drawBars(blocks, title)
  return drawn && { file: `summary-${name}.svg`, ...drawn }
}

/** Returns the sentences below a chart: what was measured, and which rivals are better. */
export function summarySentences({ sentence, as }: SummaryChart, measured: readonly MeasuredRow[]): string {
  const [{ row }] = measured as [MeasuredRow]
  const share = `of the ${row.figure === 'loop' ? 'time' : 'CPU time'} of ${labelOf(row.subjects[1])}`
  const parts = measured.map((one, index) =>
    as === 'value' ? valuePart(one) : ratioPart(one, index === 0 ? share : ''),
  )
  return `${sentence} ${joined(parts, as === 'value' ? ', and ' : ' and ')}. ${winnersText(measured)}`
}

/** Only the first part names the share. */
function ratioPart({ row, ratio }: MeasuredRow, share: string): string {
  const value = ratio === undefined ? '-' : rangeText(ratio, ratioText)
  return [value, share, row.phrase].filter((word) => word !== '').join(' ')
}

function valuePart({ row, ours, main }: MeasuredRow): string {
  const text = (value: number): string => formatFigure(value, row.figure)
  const theirs = main === undefined ? '' : `, compared with ${rangeText(main, text)} for ${labelOf(row.subjects[1])}`
  return `${row.phrase} ${rangeText(ours, text)}${theirs}`
}

function winnersText(measured: readonly MeasuredRow[]): string {
  const parts = measured.flatMap(({ row, ours, winners }) =>
    winners.map(({ subject, value }) => {
      const [theirs, own] = [value, ours].map(({ median }) => formatFigure(median, row.figure))
      return `${labelOf(subject)}${row.place === undefined ? '' : `, ${row.place}`} (${theirs}, sluice ${own})`
    }),
  )
  return parts.length === 0 ? 'No measured logger is better.' : `**Better than sluice:** ${parts.join('; ')}.`
}

/** Formats a range as in `0.40 (0.38 to 0.45)`. */
function rangeText({ median, min, max }: Spread, text: (value: number) => string): string {
  return withRange({ median, min, max }, text).replace('-', ' to ')
}

function joined(parts: readonly string[], last: string): string {
  return parts.length < 2 ? parts.join('') : parts.slice(0, -1).join(', ') + last + parts.at(-1)
}

/** Returns the valid results of a row. */
function resultsOf({ scenario, variant }: SummaryRow, groups: readonly Group[]): SubjectResult[] {
  const group = groups.find((group) => group.scenario === scenario && group.variant === variant)
  return (group?.results ?? []).filter(isValid)
}

function valueOf({ figure, times = 1 }: SummaryRow, result: SubjectResult): Spread {
  return spread(valuesOf(result, figure).map((value) => value * times))
}
