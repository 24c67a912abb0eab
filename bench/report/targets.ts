import type { ScenarioName } from '../scenarios/index.ts'
import type { Scenario, Target } from '../scenarios/scenario.ts'
import type { SubjectName } from '../subjects/index.ts'
import { figures, isSound, type Figure, type Group, type SubjectResult } from './group.ts'
import { pairwise, spread, type Spread } from './statistics.ts'

/** Our figure over a rival's; or, without a rival, our figure alone. */
export interface Comparison {
  readonly scenario: ScenarioName
  readonly to: Group['to']
  readonly rival: SubjectName | undefined
  readonly figure: Figure
  readonly value: Spread
  readonly target: number | undefined
  /** Undefined without a target. */
  readonly met: boolean | undefined
  /** More than a fifth of the runs say otherwise. */
  readonly unsure: boolean
}

/** Every comparison that a group allows, whether or not there is a target for it. */
export function comparisons(group: Group, scenario: Scenario): Comparison[] {
  const ours = group.results.find(({ subject }) => subject === 'sluice')
  if (ours === undefined || !isSound(ours)) return []
  const alone = scenario.targets.filter((target) => 'nanos' in target && target.to.includes(group.to))
  return [
    ...alone.map((target) => judged(group, undefined, 'loop', figures(ours, 'loop'), limitOf(target))),
    ...group.results
      .filter((rival) => rival !== ours && isSound(rival))
      .flatMap((rival) => against(group, scenario, ours, rival)),
  ]
}

function against(group: Group, scenario: Scenario, ours: SubjectResult, rival: SubjectResult): Comparison[] {
  const target = scenario.targets.find(
    (target) => 'rival' in target && target.rival === rival.subject && target.to.includes(group.to),
  )
  const compared: readonly Figure[] = scenario.expected === undefined ? ['loop'] : ['loop', 'drain', 'cpu']
  return compared.map((figure) => {
    const ratios = pairwise(figures(ours, figure), figures(rival, figure))
    // What other processes take is not in the CPU time: a hint on a busy machine, but no target speaks of it.
    return judged(
      group,
      rival.subject,
      figure,
      ratios,
      target === undefined || figure === 'cpu' ? undefined : limitOf(target),
    )
  })
}

const limitOf = (target: Target): number => ('nanos' in target ? target.nanos : target.ratio)

function judged(
  { scenario, to }: Group,
  rival: SubjectName | undefined,
  figure: Figure,
  values: readonly number[],
  target: number | undefined,
): Comparison {
  const value = spread(values)
  const comparison = { scenario, to, rival, figure, value, target }
  if (target === undefined) return { ...comparison, met: undefined, unsure: false }
  const met = value.median <= target
  const otherwise = values.filter((value) => value <= target !== met).length
  return { ...comparison, met, unsure: otherwise > values.length / 5 }
}
