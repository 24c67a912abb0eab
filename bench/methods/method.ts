import type { Figures } from '../figures.ts'
import type { ProfiledFunction } from '../run/profile.ts'
import type { ScenarioName } from '../scenarios/index.ts'
import type { SubjectName } from '../subjects/index.ts'

/** One run to be made: one subject in one variant of a scenario. */
export interface Job {
  readonly scenario: ScenarioName
  readonly variant: string
  readonly subject: SubjectName
  /** The folder of the sluice build. */
  readonly build: string
  /** How many records are timed, where the command line says so; else the variant does. */
  readonly records: number | undefined
  /** Profile the timed part and keep the profile in this file, where the method can. */
  readonly profile?: string
}

/** What a run found. */
export interface Run {
  readonly figures: Figures
  /** How long a fixed piece of work took just before and just after, the longer one, in ms. */
  readonly calibration: number
  /** Why the figures do not count; empty when they do. */
  readonly problems: readonly string[]
  readonly functions?: readonly ProfiledFunction[]
}

/** What all runs share. */
export interface Bench {
  /** Takes what a run writes; a run removes it again. */
  readonly folder: string
  /** Ends the measured processes. */
  readonly signal: AbortSignal
}

/** How a question is answered: starts processes of its own, checks what they wrote, and says what it found. */
export type Method = (bench: Bench) => (job: Job) => Promise<Run>

export const nameOf = ({ scenario, variant, subject }: Pick<Job, 'scenario' | 'variant' | 'subject'>): string =>
  `${scenario}, ${variant}, by ${subject}`
