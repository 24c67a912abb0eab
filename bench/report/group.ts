import type { Measured } from '../run/job.ts'
import type { ScenarioName } from '../scenarios/index.ts'
import type { Destination } from '../scenarios/scenario.ts'
import { subjects, type SubjectName } from '../subjects/index.ts'

/** All runs of one scenario to one destination: of each subject the same number, those of one round at the same index. */
export interface Group {
  readonly scenario: ScenarioName
  readonly to: Destination
  readonly records: number
  readonly results: readonly SubjectResult[]
}

export interface SubjectResult {
  readonly subject: SubjectName
  readonly runs: readonly Measured[]
  /** Why its figures do not count; empty when they do. */
  readonly problems: readonly string[]
}

export const titleOf = async (name: SubjectName): Promise<string> => (await subjects[name]()).title

/** Its figures count. */
export const isSound = ({ problems }: SubjectResult): boolean => problems.length === 0

export type Figure = 'loop' | 'drain' | 'cpu'

export const figures = (result: SubjectResult, figure: Figure | 'memory'): number[] =>
  result.runs.map((run) => run[figure])
