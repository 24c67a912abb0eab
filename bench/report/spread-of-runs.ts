import { scenarioOf } from '../scenarios/index.ts'
import { isValid, valuesOf, type Group } from './group.ts'
import { spread } from './statistics.ts'

/** Returns how much the runs of a subject differ: the range of a figure divided by its median. */
export function spreadOfRuns(groups: readonly Group[]): { readonly median: number; readonly most: number } {
  const shares = groups.flatMap(({ scenario, results }) => {
    const { compared, figures } = scenarioOf(scenario)
    const figure = compared[0] ?? figures[0]!
    return results.filter(isValid).map((result) => {
      const { median, min, max } = spread(valuesOf(result, figure))
      return (max - min) / median
    })
  })
  const sorted = shares.filter((share) => share >= 0 && Number.isFinite(share)).toSorted((a, b) => a - b)
  return { median: spread(sorted).median, most: sorted[Math.floor(sorted.length * 0.9)] ?? NaN }
}
