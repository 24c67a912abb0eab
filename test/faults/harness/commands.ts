import type { ToldLedger } from './oracle.ts'

/** Where a process logs to. */
export type Sink = { readonly to: 'stdout' } | { readonly to: 'file'; readonly path: string }

/** What a process is started with, as JSON. */
export interface Plan {
  /** A file of test/faults/subjects. */
  readonly subject: string
  readonly run: string
  readonly sink: Sink
  /** What the subject alone understands. */
  readonly options?: object
}

/** What a running process is told to do; each is answered once it is done. */
export type Command =
  /**
   * Logs `count` records, `perTurn` in each turn of the event loop (default: all in one), each tenth of them a warning.
   * `everyMillis`: waits so long after each turn.
   */
  | {
      readonly do: 'log'
      readonly count: number
      readonly perTurn?: number
      readonly everyMillis?: number
      readonly padding?: number
    }
  | { readonly do: 'flush'; readonly timeoutMillis?: number }
  | { readonly do: 'ledger' }
  /** Keeps the event loop busy. */
  | { readonly do: 'block'; readonly millis: number }
  | { readonly do: 'shutdown' }
  /** Ends: `end` by having nothing more to do, the others as their names say. Not answered. */
  | { readonly do: 'end' | 'exit' | 'throw' | 'reject' | 'abort'; readonly code?: number }

/** What a process says. */
export type Reply =
  | { readonly said: 'hello'; readonly pid: number }
  | {
      readonly said: 'logged'
      /** The number that the next record will have. */
      readonly next: number
      /** The longest single call, and the longest turn of the event loop meanwhile, in ms. */
      readonly longestCall: number
      readonly longestTurn: number
      /** Calls that threw. */
      readonly threw: number
    }
  /** `next`: every record before it was flushed, if `ok`. */
  | { readonly said: 'flushed'; readonly ok: boolean; readonly next: number }
  /** `ledger`: undefined where the subject counts nothing. */
  | { readonly said: 'ledger' | 'last ledger'; readonly ledger?: ToldLedger; readonly rss: number }
  | { readonly said: 'blocked' | 'shut down' }
