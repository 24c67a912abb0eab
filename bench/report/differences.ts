import type { Run } from '../methods/method.ts'
import type { Above } from '../scenarios/scenario.ts'
import type { SubjectResult } from './group.ts'

/** Adds to each run by how much its figure is above that of another subject in the same round. */
export function withDifferences(results: readonly SubjectResult[], above: Above | undefined): readonly SubjectResult[] {
  const base = results.find(({ subject }) => subject === above?.over)
  if (above === undefined || base === undefined) return results
  const { figure, of } = above
  const difference = (run: Run, round: number): Run => {
    const value = (run.figures[of] ?? NaN) - (base.runs[round]?.figures[of] ?? NaN)
    return { ...run, figures: { ...run.figures, [figure]: value } }
  }
  return results.map((result) => (result === base ? result : { ...result, runs: result.runs.map(difference) }))
}
