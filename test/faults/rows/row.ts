import type { FaultChild, FaultChildPlan } from '../harness/fault-child.ts'

/** A fault that loggers meet, and what a logger must come to. */
export interface Row {
  /** Its number in docs/reference/reliability.md. */
  readonly row: number
  /** What goes wrong: a clause without a subject of its own, such as `the disk is full for a while`. */
  readonly fault: string
  /** How it is made. */
  readonly how: string
  /** What the machine must have, beside Node. */
  readonly needs?: { readonly what: string; readonly isThere: () => boolean }
  /** Why it is no question for other loggers. Default: it is one. */
  readonly onlyOurs?: string
  /** Makes it for one logger. Returns all that is wrong afterwards, in sentences; nothing when the logger survives. */
  readonly run: (bench: RowBench) => Promise<readonly string[]>
}

/** What a row works with: one logger, and a place for its files. */
export interface RowBench {
  readonly subject: string
  /** The run that the records of the processes started here belong to. */
  readonly run: string
  /** A name in a directory that is empty at first. */
  path(name: string): string
  /** Starts a process of the logger; one that is left is killed at the end. */
  start(plan: Omit<FaultChildPlan, 'subject' | 'run'>): Promise<FaultChild>
}
