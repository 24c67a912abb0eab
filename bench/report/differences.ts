import type { Run } from '../methods/method.ts'
import type { Difference } from '../scenarios/scenario.ts'
import type { SubjectResult } from './group.ts'

/** Adds to each run the difference between its figure and that of another subject in the same round. */
export function withDifferences(
  results: readonly SubjectResult[],
  difference: Difference | undefined,
): readonly SubjectResult[] {
  const base = results.find(({ subject }) => subject === difference?.baseline)
  if (difference === undefined || base === undefined) return results
  const { figure, of } = difference
  const withDifference = (run: Run, round: number): Run => {
    const value = (run.figures[of] ?? NaN) - (base.runs[round]?.figures[of] ?? NaN)
    return { ...run, figures: { ...run.figures, [figure]: value } }
  }
  return results.map((result) => (result === base ? result : { ...result, runs: result.runs.map(withDifference) }))
}
