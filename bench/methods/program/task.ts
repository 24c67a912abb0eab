import type { SubjectName } from '../../subjects/index.ts'
import type { Logged } from './cycles.ts'

/** What the program is told. */
export interface Task {
  readonly subject: SubjectName
  readonly build: string
  readonly logs: Logged
  readonly cycles: number
}

/** What the program says of itself, in ms. */
export interface Reported {
  readonly loop: number
  readonly drain: number
  /** What its work came to. */
  readonly sum: number
  /** The subject's own count. */
  readonly stats: { readonly written: number; readonly lost: number } | undefined
}

/** Where it says so: a plain descriptor, because a channel to the parent takes a program some ms to set up. */
export const answerFd = 3
