import type { FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { Target } from '../scenarios/scenario.ts'
import type { SubjectName } from '../subjects/index.ts'
import { isSound, valuesOf, type Group, type SubjectResult } from './group.ts'
import { isRival } from './rivals.ts'
import { pairwise, spread, type Spread } from './statistics.ts'

/** Our figure over a rival's; or, without a rival, our figure alone. */
export interface Comparison extends Pick<Group, 'scenario' | 'variant'> {
  readonly ours: SubjectName
  readonly rival: SubjectName | undefined
  readonly figure: FigureName
  readonly value: Spread
  readonly target: Target | undefined
  /** Undefined without a target. */
  readonly met: boolean | undefined
  /** More than a fifth of the runs say otherwise. */
  readonly unsure: boolean
}

/** Every comparison that a group allows, whether or not there is a target for it. */
export function comparisons(group: Group): Comparison[] {
  const { targets, ours = 'sluice' } = scenarioOf(group.scenario)
  const further = new Set(targets.flatMap(({ subject = ours }) => (subject === ours ? [] : [subject])))
  return [ours, ...further].flatMap((name) => comparisonsOf(group, name, name === ours))
}

function comparisonsOf(group: Group, name: SubjectName, isFirst: boolean): Comparison[] {
  const targets = targetsOf(group, name)
  const ours = group.results.find(({ subject }) => subject === name)
  if (ours === undefined || !isSound(ours)) return []
  const alone = targets
    .filter(({ rival }) => rival === undefined)
    .flatMap((target) =>
      target.figures.map((figure) => judged(group, name, undefined, figure, valuesOf(ours, figure), target)),
    )
  // Our others are compared with the first of ours.
  const isMeant = (rival: SubjectName) => isFirst || isRival(rival) || targets.some((target) => target.rival === rival)
  const rivals = group.results.filter((rival) => rival !== ours && isSound(rival) && isMeant(rival.subject))
  return [...alone, ...rivals.flatMap((rival) => against(group, ours, rival))]
}

/** The targets of a group for one of our subjects. */
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
    return judged(group, ours.subject, rival.subject, figure, values, target)
  })
}

function judged(
  { scenario, variant }: Group,
  ours: SubjectName,
  rival: SubjectName | undefined,
  figure: FigureName,
  values: readonly number[],
  target: Target | undefined,
): Comparison {
  const value = spread(values)
  const comparison = { scenario, variant, ours, rival, figure, value, target }
  // What was not found out is neither met nor missed.
  if (target === undefined || Number.isNaN(value.median)) return { ...comparison, met: undefined, unsure: false }
  const meets = (value: number) => (target.atLeast === true ? value >= target.limit : value <= target.limit)
  const met = meets(value.median)
  const otherwise = values.filter((value) => meets(value) !== met).length
  return { ...comparison, met, unsure: otherwise > values.length / 5 }
}
