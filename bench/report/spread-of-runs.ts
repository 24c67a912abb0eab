import { scenarioOf } from '../scenarios/index.ts'
import { isSound, valuesOf, type Group } from './group.ts'
import { spread } from './statistics.ts'

/** How far the runs of one subject differ: the minimum and the maximum of a figure, as a share of its median. */
export function spreadOfRuns(groups: readonly Group[]): { readonly median: number; readonly most: number } {
  const shares = groups.flatMap(({ scenario, results }) => {
    const { compared, figures } = scenarioOf(scenario)
    const figure = compared[0] ?? figures[0]!
    return results.filter(isSound).map((result) => {
      const { median, min, max } = spread(valuesOf(result, figure))
      return (max - min) / median
    })
  })
  const sorted = shares.filter((share) => share >= 0 && Number.isFinite(share)).toSorted((a, b) => a - b)
  return { median: spread(sorted).median, most: sorted[Math.floor(sorted.length * 0.9)] ?? NaN }
}
