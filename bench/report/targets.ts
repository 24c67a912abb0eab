import type { FigureName } from '../figures.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { Target } from '../scenarios/scenario.ts'
import type { SubjectName } from '../subjects/index.ts'
import { isSound, valuesOf, type Group, type SubjectResult } from './group.ts'
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
  const { targets, ours: name = 'sluice' } = scenarioOf(group.scenario)
  const ours = group.results.find(({ subject }) => subject === name)
  if (ours === undefined || !isSound(ours)) return []
  const alone = targets
    .filter(({ rival, variants }) => rival === undefined && variants.includes(group.variant))
    .flatMap((target) =>
      target.figures.map((figure) => judged(group, name, undefined, figure, valuesOf(ours, figure), target)),
    )
  const rivals = group.results.filter((rival) => rival !== ours && isSound(rival))
  return [...alone, ...rivals.flatMap((rival) => against(group, ours, rival))]
}

function against(group: Group, ours: SubjectResult, rival: SubjectResult): Comparison[] {
  const { targets, compared } = scenarioOf(group.scenario)
  return compared.map((figure) => {
    const target = targets.find(
      (target) =>
        target.rival === rival.subject && target.figures.includes(figure) && target.variants.includes(group.variant),
    )
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
