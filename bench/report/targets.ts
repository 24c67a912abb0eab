import type { FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { Target } from '../scenarios/scenario.ts'
import type { SubjectName } from '../subjects/index.ts'
import { isValid, valuesOf, type Group, type SubjectResult } from './group.ts'
import { isRival } from './rivals.ts'
import { pairwise, spread, type Spread } from './statistics.ts'

/** The figure of a sluice subject divided by that of a rival, or without a rival the figure itself. */
export interface Comparison extends Pick<Group, 'scenario' | 'variant'> {
  readonly ours: SubjectName
  readonly rival: SubjectName | undefined
  readonly figure: FigureName
  readonly value: Spread
  readonly target: Target | undefined
  /** Whether the target is met. Undefined without a target. */
  readonly met: boolean | undefined
  /** More than a fifth of the runs have the opposite result. */
  readonly unsure: boolean
}

/** Returns all comparisons in a group, with and without a target. */
export function comparisons(group: Group): Comparison[] {
  const { targets, ours = 'sluice' } = scenarioOf(group.scenario)
  const further = new Set(targets.flatMap(({ subject = ours }) => (subject === ours ? [] : [subject])))
  return [ours, ...further].flatMap((name) => comparisonsOf(group, name, name === ours))
}

function comparisonsOf(group: Group, name: SubjectName, isFirst: boolean): Comparison[] {
  const targets = targetsOf(group, name)
  const ours = group.results.find(({ subject }) => subject === name)
  if (ours === undefined || !isValid(ours)) return []
  const alone = targets
    .filter(({ rival }) => rival === undefined)
    .flatMap((target) =>
      target.figures.map((figure) => evaluate(group, name, undefined, figure, valuesOf(ours, figure), target)),
    )
  // A sluice subject that is not the default one is compared with rivals, and with the subjects of its targets.
  const isCompared = (rival: SubjectName) =>
    isFirst || isRival(rival) || targets.some((target) => target.rival === rival)
  const rivals = group.results.filter((rival) => rival !== ours && isValid(rival) && isCompared(rival.subject))
  return [...alone, ...rivals.flatMap((rival) => against(group, ours, rival))]
}

/** Returns the targets of a group for one sluice subject. */
function targetsOf({ scenario, variant }: Group, name: SubjectName): Target[] {
  const { targets, ours = 'sluice' } = scenarioOf(scenario)
  return targets.filter(({ variants, subject = ours }) => subject === name && variants.includes(variant))
}

function against(group: Group, ours: SubjectResult, rival: SubjectResult): Comparison[] {
  const { compared } = scenarioOf(group.scenario)
  const targets = targetsOf(group, ours.subject)
  return compared.map((figure) => {
    const target = targets.find((target) => target.rival === rival.subject && target.figures.includes(figure))
    const values = pairwise(valuesOf(ours, figure), valuesOf(rival, figure))
    return evaluate(group, ours.subject, rival.subject, figure, values, target)
  })
}

function evaluate(
  { scenario, variant }: Group,
  ours: SubjectName,
  rival: SubjectName | undefined,
  figure: FigureName,
  values: readonly number[],
  target: Target | undefined,
): Comparison {
  const value = spread(values)
  const comparison = { scenario, variant, ours, rival, figure, value, target }
  // Without a measurement, a target is neither met nor missed.
  if (target === undefined || Number.isNaN(value.median)) return { ...comparison, met: undefined, unsure: false }
  const meets = (value: number) => (target.atLeast === true ? value >= target.limit : value <= target.limit)
  const met = meets(value.median)
  const otherwise = values.filter((value) => meets(value) !== met).length
  return { ...comparison, met, unsure: otherwise > values.length / 5 }
}
