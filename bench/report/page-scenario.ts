import { figureOf, formatFigure, type FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import { limitText, ratioText, timesText, verdict, withRange } from './cells.ts'
import { chartOf } from './charts.ts'
import { isValid, valuesOf, type Group, type SubjectResult } from './group.ts'
import { markdownTable, sidesOf } from './markdown.ts'
import { isNoisy, noiseOf } from './noise.ts'
import { valueText } from './page-comparisons.ts'
import { noiseText } from './print.ts'
import { spread } from './statistics.ts'
import { comparisons, type Comparison } from './targets.ts'

/**
 * Returns the section of one scenario: its ratios, then the figures of its subjects.
 *
 * @param best - see `bestOf`
 * @param defaultRuns - how often the subjects of other scenarios ran
 */
export function scenarioText(groups: readonly Group[], best: number, defaultRuns: number): string {
  const { scenario } = groups[0]!
  const { description } = scenarioOf(scenario)
  const chart = chartOf(groups)
  const noise = noiseOf(groups, best)
  return [
    `### ${scenario}`,
    `${description}.${runsText(groups, defaultRuns)}`,
    ...(chart === undefined ? [] : [`![${chart.title}](benchmarks/${chart.file})`]),
    ...ratioTable(groups),
    ...aloneTable(groups),
    figureTable(groups),
    ...(isNoisy(noise) ? [`Noisy: ${noiseText(noise)}.`] : []),
  ].join('\n\n')
}

function runsText([group]: readonly Group[], defaultRuns: number): string {
  const { length } = group!.results[0]!.runs
  return length === defaultRuns ? '' : ` Each subject ran ${timesText(length)}.`
}

/** Creates a table with a row for each rival and a column for each compared figure. */
function ratioTable(groups: readonly Group[]): string[] {
  const { compared } = scenarioOf(groups[0]!.scenario)
  const rows = groups.flatMap((group) => {
    const against = comparisons(group).filter(({ rival }) => rival !== undefined)
    return [...Map.groupBy(against, ({ ours, rival }) => `${ours} / ${rival}`)].map(([pair, all]) =>
      [group.variant, pair].concat(compared.map((figure) => ratioCell(all.find((one) => one.figure === figure)!))),
    )
  })
  if (rows.length === 0) return []
  return [markdownTable(['', 'ratio', ...compared.map(columnTitle)], sidesOf(2, compared.length), rows)]
}

function ratioCell(comparison: Comparison): string {
  const value = withRange(comparison.value, ratioText)
  return comparison.target === undefined ? value : `${value}, ${limitText(comparison)} ${verdict(comparison)}`
}

/** Creates a table of the targets without a rival. */
function aloneTable(groups: readonly Group[]): string[] {
  const alone = groups.flatMap(comparisons).filter(({ rival }) => rival === undefined)
  if (alone.length === 0) return []
  const rows = alone.map((comparison) => [
    comparison.variant,
    `${comparison.ours} ${figureOf(comparison.figure).title}`,
    withRange(comparison.value, valueText(comparison)),
    limitText(comparison),
    verdict(comparison),
  ])
  return [markdownTable(['', 'figure', 'median (min-max)', 'target', ''], [...sidesOf(2, 2), 'left'], rows)]
}

function figureTable(groups: readonly Group[]): string {
  const { figures } = scenarioOf(groups[0]!.scenario)
  const rows = groups.flatMap(({ variant, results }) =>
    results.map((result) => [variant, result.subject, ...figures.map((figure) => figureCell(result, figure, groups))]),
  )
  return markdownTable(['', 'subject', ...figures.map(columnTitle)], sidesOf(2, figures.length), rows)
}

function figureCell(result: SubjectResult, figure: FigureName, [group]: readonly Group[]): string {
  if (!isValid(result)) return 'INVALID'
  const value = spread(valuesOf(result, figure))
  const text = (value: number) => formatFigure(value, figure)
  return scenarioOf(group!.scenario).compared.includes(figure) ? withRange(value, text) : text(value.median)
}

const columnTitle = (figure: FigureName): string =>
  figureOf(figure).title + (figureOf(figure).more === true ? ' ↑' : '')
