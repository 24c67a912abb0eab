import { figureOf, formatFigure } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { SubjectName } from '../subjects/index.ts'
import { favoursRival, limitText, ratioText, verdict, withRange } from './cells.ts'
import type { Group } from './group.ts'
import { markdownTable, sidesOf } from './markdown.ts'
import { isRival } from './rivals.ts'
import { comparisons, type Comparison } from './targets.ts'

/** Lists each figure in which another logger is better. */
export function betterRivalsText(groups: readonly Group[]): string {
  const against = groups.flatMap(comparisons).filter(({ rival }) => rival !== undefined && isRival(rival))
  const lost = against.filter(({ value, figure }) => favoursRival(value.median, figure))
  if (against.length === 0) return 'No other logger was measured.'
  if (lost.length === 0) return `No other logger is better in any of ${against.length} comparisons.`
  const rows = lost.map((comparison) => [
    placeOf(comparison),
    rivalOf(comparison),
    figureOf(comparison.figure).title,
    withRange(comparison.value, ratioText),
    isSure(comparison) ? '' : 'not in every run',
  ])
  return `Another logger is better in ${lost.length} of ${against.length} comparisons.

${markdownTable(['scenario', 'rival', 'figure', 'ratio', ''], ['left', 'left', 'left', 'right', 'left'], rows)}`
}

/** Counts the targets, and how many of them are met. */
export function targetsText(groups: readonly Group[]): string {
  const evaluated = groups.flatMap(comparisons).filter(({ met }) => met !== undefined)
  const notEvaluated = groups.reduce((sum, group) => sum + dueTargets(group), 0) - evaluated.length
  const met = evaluated.filter(({ met }) => met === true).length
  const more = notEvaluated === 0 ? '' : ` ${notEvaluated} more could not be evaluated, because a subject is invalid.`
  return `${met} of ${evaluated.length} targets for a release are met.${more}`
}

/** Returns the number of targets that a group would have if all of its figures were valid. */
function dueTargets({ scenario, variant, results }: Group): number {
  const { targets, ours = 'sluice' } = scenarioOf(scenario)
  const isMeasured = (name: SubjectName) => results.some(({ subject }) => subject === name)
  return targets
    .filter(
      ({ variants, subject = ours, rival = subject }) =>
        variants.includes(variant) && isMeasured(subject) && isMeasured(rival),
    )
    .reduce((sum, { figures }) => sum + figures.length, 0)
}

/** Lists each target that is missed, and each whose result differs between runs. */
export function missedTargetsText(groups: readonly Group[]): string {
  const shown = groups.flatMap(comparisons).filter(({ met, unsure }) => met === false || unsure)
  if (shown.length === 0) return 'No target was missed.'
  const rows = shown.map((comparison) => [
    placeOf(comparison),
    figureOf(comparison.figure).title,
    rivalOf(comparison),
    withRange(comparison.value, valueText(comparison)),
    limitText(comparison),
    verdict(comparison),
  ])
  const head = ['scenario', 'figure', 'rival', 'median (min-max)', 'target', '']
  return markdownTable(head, [...sidesOf(3, 2), 'left'], rows)
}

/** Returns the formatter of a comparison's value: a ratio, or without a rival the figure of sluice. */
export const valueText = ({ rival, figure }: Comparison): ((value: number) => string) =>
  rival === undefined ? (value) => formatFigure(value, figure) : ratioText

/** Returns the rival, with the sluice subject if it is not the default one of the scenario. */
function rivalOf({ scenario, ours, rival }: Comparison): string {
  const name = rival ?? '-'
  return ours === (scenarioOf(scenario).ours ?? 'sluice') ? name : `${ours} / ${name}`
}

const placeOf = ({ scenario, variant }: Comparison): string => `[${scenario}](#${scenario}), ${variant}`

const isSure = ({ value: { min, max }, figure }: Comparison): boolean =>
  favoursRival(min, figure) && favoursRival(max, figure)
