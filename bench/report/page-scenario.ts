import { figureOf, written, type FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import { limitText, ratioText, timesText, verdict, withRange } from './cells.ts'
import { chartOf } from './charts.ts'
import { isSound, valuesOf, type Group, type SubjectResult } from './group.ts'
import { markdownTable, sidesOf } from './markdown.ts'
import { isNoisy, noiseOf } from './noise.ts'
import { valueText } from './page-comparisons.ts'
import { noiseText } from './print.ts'
import { spread } from './statistics.ts'
import { comparisons, type Comparison } from './targets.ts'

/**
 * One scenario: its ratios, then the figures of its subjects.
 *
 * @param best - see `bestOf`
 * @param usualRuns - how often the subjects of other scenarios ran
 */
export function scenarioText(groups: readonly Group[], best: number, usualRuns: number): string {
  const { scenario } = groups[0]!
  const { question } = scenarioOf(scenario)
  const chart = chartOf(groups)
  const noise = noiseOf(groups, best)
  return [
    `### ${scenario}`,
    `${question}.${runsText(groups, usualRuns)}`,
    ...(chart === undefined ? [] : [`![${chart.title}](benchmarks/${chart.file})`]),
    ...ratioTable(groups),
    ...aloneTable(groups),
    figureTable(groups),
    ...(isNoisy(noise) ? [`Noisy: ${noiseText(noise)}.`] : []),
  ].join('\n\n')
}

function runsText([group]: readonly Group[], usualRuns: number): string {
  const { length } = group!.results[0]!.runs
  return length === usualRuns ? '' : ` Each subject ran ${timesText(length)}.`
}

/** A row for each rival, a column for each figure that is compared. */
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

/** Targets without a rival. */
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
  if (!isSound(result)) return 'INVALID'
  const value = spread(valuesOf(result, figure))
  const text = (value: number) => written(value, figure)
  return scenarioOf(group!.scenario).compared.includes(figure) ? withRange(value, text) : text(value.median)
}

const columnTitle = (figure: FigureName): string =>
  figureOf(figure).title + (figureOf(figure).more === true ? ' ↑' : '')
