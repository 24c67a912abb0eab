import { figureOf, formatFigure, type FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import { favoursRival, rangeOf, ratioText } from './cells.ts'
import { isValid, valuesOf, type Group } from './group.ts'
import { markdownTable, sidesOf } from './markdown.ts'
import { isRival } from './rivals.ts'
import { spread } from './statistics.ts'
import { comparisons, type Comparison } from './targets.ts'

/** Creates a table with a row for each scenario, by its first figure. */
export function summaryTable(scenarios: readonly (readonly Group[])[]): string {
  const head = [
    'scenario',
    'figure',
    'sluice',
    'ratio to the main rival',
    'ratio to the strongest rival',
    'targets met',
  ]
  return markdownTable(head, sidesOf(6, 0), scenarios.map(summaryRow))
}

function summaryRow(groups: readonly Group[]): string[] {
  const { scenario } = groups[0]!
  const { description, figures, compared } = scenarioOf(scenario)
  const figure = (compared[0] ?? figures[0])!
  return [
    `[${description}](#${scenario})`,
    figureOf(figure).title + (figureOf(figure).more === true ? ' ↑' : ''),
    rangeOf(
      groups.map((group) => oursIn(group, figure)),
      (value) => formatFigure(value, figure),
    ),
    byRival(groups.flatMap((group) => main(group, figure) ?? [])),
    byRival(groups.flatMap((group) => strongest(group, figure) ?? [])),
    targetsOf(groups),
  ]
}

function ratiosOf(group: Group, figure: FigureName): Comparison[] {
  const { ours: first = 'sluice' } = scenarioOf(group.scenario)
  return comparisons(group).filter(
    ({ ours, rival, figure: name, value }) =>
      ours === first && rival !== undefined && isRival(rival) && name === figure && Number.isFinite(value.median),
  )
}

/** Returns the comparison with the main rival, which is the first of a variant. If it is invalid, no other replaces it. */
function main(group: Group, figure: FigureName): Comparison | undefined {
  const first = group.results.find(({ subject }) => isRival(subject))?.subject
  return ratiosOf(group, figure).find(({ rival }) => rival === first)
}

function oursIn(group: Group, figure: FigureName): number {
  const { ours = 'sluice' } = scenarioOf(group.scenario)
  const result = group.results.find(({ subject }) => subject === ours)
  return result !== undefined && isValid(result) ? spread(valuesOf(result, figure)).median : NaN
}

function strongest(group: Group, figure: FigureName): Comparison | undefined {
  const [first, ...others] = ratiosOf(group, figure)
  return first && others.reduce((best, one) => (isBetterForRival(one, best) ? one : best), first)
}

/** Returns whether the first of two ratios of one figure is better for the rival. */
function isBetterForRival({ value: one, figure }: Comparison, { value: other }: Comparison): boolean {
  return favoursRival(one.median / other.median, figure)
}

/** Formats ratios, those to the same rival as one range. */
function byRival(chosen: readonly Comparison[]): string {
  const groups = Map.groupBy(chosen, ({ rival }) => rival)
  const parts = [...groups].map(
    ([rival, all]) =>
      `${rangeOf(
        all.map(({ value }) => value.median),
        ratioText,
      )} of ${rival}`,
  )
  return parts.length === 0 ? '-' : parts.join(', ')
}

function targetsOf(groups: readonly Group[]): string {
  const evaluated = groups.flatMap(comparisons).filter(({ met }) => met !== undefined)
  return evaluated.length === 0 ? '-' : `${evaluated.filter(({ met }) => met === true).length} of ${evaluated.length}`
}
