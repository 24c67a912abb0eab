import { figureOf, written, type FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import { favoursRival, rangeOf, ratioText } from './cells.ts'
import { isSound, valuesOf, type Group } from './group.ts'
import { markdownTable, sidesOf } from './markdown.ts'
import { isRival } from './rivals.ts'
import { spread } from './statistics.ts'
import { comparisons, type Comparison } from './targets.ts'

/** A row for each scenario, by its first figure. */
export function summaryTable(scenarios: readonly (readonly Group[])[]): string {
  const head = [
    'scenario',
    'figure',
    'sluice',
    'ratio to the usual rival',
    'ratio to the strongest rival',
    'targets met',
  ]
  return markdownTable(head, sidesOf(6, 0), scenarios.map(summaryRow))
}

function summaryRow(groups: readonly Group[]): string[] {
  const { scenario } = groups[0]!
  const { question, figures, compared } = scenarioOf(scenario)
  const figure = (compared[0] ?? figures[0])!
  return [
    `[${question}](#${scenario})`,
    figureOf(figure).title + (figureOf(figure).more === true ? ' ↑' : ''),
    rangeOf(
      groups.map((group) => oursIn(group, figure)),
      (value) => written(value, figure),
    ),
    byRival(groups.flatMap((group) => usual(group, figure) ?? [])),
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

/** The first rival of a variant is the one that its users would compare with; no other takes its place where it is invalid. */
function usual(group: Group, figure: FigureName): Comparison | undefined {
  const first = group.results.find(({ subject }) => isRival(subject))?.subject
  return ratiosOf(group, figure).find(({ rival }) => rival === first)
}

function oursIn(group: Group, figure: FigureName): number {
  const { ours = 'sluice' } = scenarioOf(group.scenario)
  const result = group.results.find(({ subject }) => subject === ours)
  return result !== undefined && isSound(result) ? spread(valuesOf(result, figure)).median : NaN
}

function strongest(group: Group, figure: FigureName): Comparison | undefined {
  const [first, ...others] = ratiosOf(group, figure)
  return first && others.reduce((best, one) => (isBetterForRival(one, best) ? one : best), first)
}

/** Of two ratios of one figure, the one that is better for the rival. */
function isBetterForRival({ value: one, figure }: Comparison, { value: other }: Comparison): boolean {
  return favoursRival(one.median / other.median, figure)
}

/** Ratios to the same rival are one range. */
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
  const judged = groups.flatMap(comparisons).filter(({ met }) => met !== undefined)
  return judged.length === 0 ? '-' : `${judged.filter(({ met }) => met === true).length} of ${judged.length}`
}
