import type { Figures } from '../figures.ts'
import type { ProfiledFunction } from '../run/profile.ts'
import type { ScenarioName } from '../scenarios/index.ts'
import type { SubjectName } from '../subjects/index.ts'

/** A run: one subject in one variant of a scenario. */
export interface Job {
  readonly scenario: ScenarioName
  readonly variant: string
  readonly subject: SubjectName
  /** The folder of the sluice build. */
  readonly build: string
  /** The number of timed records from the command line. Default: that of the variant. */
  readonly records: number | undefined
  /** The file for a profile of the timed part, if the method supports it. */
  readonly profile?: string
}

/** The result of a run. */
export interface Run {
  readonly figures: Figures
  /** The longer time of the calibration work directly before and after, in ms. */
  readonly calibration: number
  /** Why the figures are invalid. Empty if they are valid. */
  readonly problems: readonly string[]
  readonly functions?: readonly ProfiledFunction[]
}

/** The environment of all runs. */
export interface Bench {
  /** The folder for files of runs. A run removes its files. */
  readonly folder: string
  /** Kills the measured processes when aborted. */
  readonly signal: AbortSignal
}

/** A method of measurement: starts processes, checks their output, and returns figures. */
export type Method = (bench: Bench) => (job: Job) => Promise<Run>

export const nameOf = ({ scenario, variant, subject }: Pick<Job, 'scenario' | 'variant' | 'subject'>): string =>
  `${scenario}, ${variant}, by ${subject}`
