import type { FigureName } from '../figures.ts'
import type { Run } from '../methods/method.ts'
import type { Measurement } from '../plan.ts'
import { subjects, type SubjectName } from '../subjects/index.ts'

/** All runs of one match: of each subject the same number, those of one round at the same index. */
export interface Group extends Pick<Measurement, 'scenario' | 'variant'> {
  readonly results: readonly SubjectResult[]
}

export interface SubjectResult {
  readonly subject: SubjectName
  readonly runs: readonly Run[]
}

export const titleOf = async (name: SubjectName): Promise<string> => (await subjects[name]()).title

/** Why the figures of a subject do not count; empty when they do. */
export const problemsOf = ({ runs }: SubjectResult): string[] => [...new Set(runs.flatMap(({ problems }) => problems))]

/** Its figures count. */
export const isSound = ({ runs }: SubjectResult): boolean =>
  runs.length > 0 && runs.every(({ problems }) => problems.length === 0)

/** NaN where a run did not find it out. */
export const valuesOf = ({ runs }: SubjectResult, figure: FigureName): number[] =>
  runs.map(({ figures }) => figures[figure] ?? NaN)
