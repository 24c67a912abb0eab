import type { Sink } from './commands.ts'
import type { ReportedStats } from './oracle.ts'

/** A process with threads or child processes that all log to one sink. */
export interface WriterGroupPlan {
  readonly kind: 'threads' | 'cluster' | 'fork'
  /** A file of test/faults/subjects. */
  readonly subject: string
  readonly run: string
  readonly sink: Sink
  /** Options of the subject. */
  readonly options?: object
  /** The number of members at a time. Default 1. */
  readonly members?: number
  /** The number of groups, one after the other. Default 1. */
  readonly rounds?: number
  /** The number of records of each member, and of the parent (default 0). */
  readonly records: number
  readonly parentRecords?: number
  /** The number of records in each turn of the event loop. Default: all. */
  readonly perTurn?: number
  readonly padding?: number
  /** How a member exits, or what ends it while it logs endlessly. */
  readonly cause: 'end' | 'exit' | 'throw' | 'reject' | AbruptEnd
}

/**
 * `terminate`: the parent terminates the thread. `exit of all`: the parent calls `process.exit`. `orphaned`: the parent is killed.
 * `killed`: the forked members are killed. Each happens when every member has logged its records.
 */
export type AbruptEnd = 'terminate' | 'exit of all' | 'orphaned' | 'killed'

/** The plan and the shared progress of a thread. */
export interface ThreadData {
  readonly plan: WriterGroupPlan
  readonly progress: Int32Array<SharedArrayBuffer>
}

/** Indexes of `ThreadData.progress`: logged records, records logged before this turn, records counted as written. */
export const progressOf: { readonly logged: 0; readonly turnsEnded: 1; readonly written: 2 } = {
  logged: 0,
  turnsEnded: 1,
  written: 2,
}

/** A message of the parent or a member. `member` is the `pid` of its records. */
export type WriterGroupMessage =
  | {
      readonly type: 'stats'
      readonly member: number
      readonly stats?: ReportedStats
      /** The longest turn of the event loop while the member logged, in ms. */
      readonly longestTurn: number
    }
  | {
      readonly type: 'ended'
      readonly member: number
      readonly code: number | null
      readonly error?: string
      /** The progress of a thread. */
      readonly progress?: readonly number[]
    }
  /** The descriptors and listeners of the parent: at the start, after the first round and at the end. */
  | { readonly type: 'open'; readonly descriptors: number; readonly listeners: number }
