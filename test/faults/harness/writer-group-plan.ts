import type { Sink } from './commands.ts'
import type { ToldLedger } from './oracle.ts'

/** A process, and threads or processes of its own: all of them log to one sink. */
export interface CrowdPlan {
  readonly kind: 'threads' | 'cluster' | 'fork'
  /** A file of test/faults/subjects. */
  readonly subject: string
  readonly run: string
  readonly sink: Sink
  /** What the subject alone understands. */
  readonly options?: object
  /** How many there are at a time; default 1. */
  readonly members?: number
  /** How many such groups come one after the other; default 1. */
  readonly rounds?: number
  /** How many records each member logs, and the parent between its start and its end; 0 by default. */
  readonly records: number
  readonly parentRecords?: number
  /** How many in each turn of the event loop; default all. */
  readonly perTurn?: number
  readonly padding?: number
  /** How a member ends, or what ends it while it logs without an end. */
  readonly way: 'end' | 'exit' | 'throw' | 'reject' | Sudden
}

/**
 * `terminate`: the parent ends the thread. `exit of all`: the parent calls `process.exit`. `orphaned`: the parent is killed,
 * `killed`: the members are, as forked processes. All of them come when each member has logged its records.
 */
export type Sudden = 'terminate' | 'exit of all' | 'orphaned' | 'killed'

/** What a thread is given beside the plan. */
export interface ThreadData {
  readonly plan: CrowdPlan
  readonly progress: Int32Array<SharedArrayBuffer>
}

/** Places of `ThreadData.progress`: records that were logged, that were logged before this turn, that are called written. */
export const progressOf: { readonly logged: 0; readonly turnsEnded: 1; readonly written: 2 } = {
  logged: 0,
  turnsEnded: 1,
  written: 2,
}

/** What the parent and the members say. `member`: the `pid` of its records; 0 is the parent in `open`. */
export type CrowdSaid =
  | {
      readonly said: 'ledger'
      readonly member: number
      readonly ledger?: ToldLedger
      /** The longest turn of the event loop while it logged, in ms. */
      readonly longestTurn: number
    }
  | {
      readonly said: 'ended'
      readonly member: number
      readonly code: number | null
      readonly error?: string
      /** Of a thread. */
      readonly progress?: readonly number[]
    }
  /** How many descriptors and listeners the parent has: at the start, after the first round and at the end. */
  | { readonly said: 'open'; readonly descriptors: number; readonly listeners: number }
