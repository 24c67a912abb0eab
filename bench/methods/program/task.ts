import type { SubjectName } from '../../subjects/index.ts'
import type { CycleKind } from './cycles.ts'

/** The argument of the program. */
export interface Task {
  readonly subject: SubjectName
  readonly build: string
  readonly logs: CycleKind
  readonly cycles: number
}

/** The report of the program, with times in ms. */
export interface ProgramReport {
  readonly loop: number
  readonly drain: number
  /** The result of its work. */
  readonly sum: number
  /** The statistics of the subject. */
  readonly stats: { readonly written: number; readonly lost: number } | undefined
}

/** The descriptor for the report. An IPC channel would take some ms to set up. */
export const reportFd = 3
