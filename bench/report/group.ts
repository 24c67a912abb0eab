import type { FigureName } from '../figures.ts'
import type { Run } from '../methods/method.ts'
import type { Measurement } from '../plan.ts'
import { subjects, type SubjectName } from '../subjects/index.ts'

/** All runs of one measurement. Each subject has the same number of runs, and those of one round have the same index. */
export interface Group extends Pick<Measurement, 'scenario' | 'variant'> {
  readonly results: readonly SubjectResult[]
}

export interface SubjectResult {
  readonly subject: SubjectName
  readonly runs: readonly Run[]
}

export const titleOf = async (name: SubjectName): Promise<string> => (await subjects[name]()).title

/** Returns why the figures of a subject are invalid, or an empty array. */
export const problemsOf = ({ runs }: SubjectResult): string[] => [...new Set(runs.flatMap(({ problems }) => problems))]

/** Returns whether the figures of a subject are valid. */
export const isValid = ({ runs }: SubjectResult): boolean =>
  runs.length > 0 && runs.every(({ problems }) => problems.length === 0)

/** Returns the values of a figure, with NaN for runs that did not measure it. */
export const valuesOf = ({ runs }: SubjectResult, figure: FigureName): number[] =>
  runs.map(({ figures }) => figures[figure] ?? NaN)
