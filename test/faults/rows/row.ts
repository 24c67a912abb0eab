import type { FaultChild, FaultChildPlan } from '../harness/fault-child.ts'

/** A fault, and a test of what a logger does with it. */
export interface FaultRow {
  /** The row number in docs/reference/reliability.md. */
  readonly row: number
  /** The fault, as a clause such as `the disk of a file is temporarily full`. */
  readonly fault: string
  /** How the fault is injected. */
  readonly how: string
  /** What the machine must have in addition to Node. */
  readonly needs?: { readonly what: string; readonly isAvailable: () => boolean }
  /** Why other loggers are not tested with it. Default: they are. */
  readonly onlyOursBecause?: string
  /** Injects the fault. Returns everything that is wrong afterwards, as sentences, or an empty list if the logger passes. */
  readonly run: (harness: FaultHarness) => Promise<readonly string[]>
}

/** The logger under test and a directory for its files. */
export interface FaultHarness {
  readonly subject: string
  /** The run id in the records of the processes. */
  readonly run: string
  /** Returns the path of a file in the directory, which is initially empty. */
  path(name: string): string
  /** Starts a process with the logger. It is killed at the end if it still runs. */
  start(plan: Omit<FaultChildPlan, 'subject' | 'run'>): Promise<FaultChild>
}
