import type { ToldLedger } from './oracle.ts'

/** Where a process logs to. */
export type Sink = { readonly to: 'stdout' } | { readonly to: 'file'; readonly path: string }

/** What a process is started with, as JSON. */
export interface Plan {
  /** A file of test/faults/subjects. */
  readonly subject: string
  readonly run: string
  readonly sink: Sink
  /** A second place for the same records, before the first: another exporter, transport or stream of the one logger. */
  readonly beside?: Sink
  /** What the subject alone understands. */
  readonly options?: object
}

/** What a running process is told to do; each is answered once it is done. */
export type Command =
  /**
   * Logs `count` records, `perTurn` in each turn of the event loop (default: all in one), each tenth of them a warning.
   * `everyMillis`: waits so long after each turn. `then`: how it ends in the turn of the last record, once it has answered.
   */
  | {
      readonly do: 'log'
      readonly count: number
      readonly perTurn?: number
      readonly everyMillis?: number
      readonly padding?: number
      readonly then?: Death
    }
  | { readonly do: 'flush'; readonly timeoutMillis?: number }
  | { readonly do: 'ledger' }
  /** Keeps the event loop busy. */
  | { readonly do: 'block'; readonly millis: number }
  | { readonly do: 'shutdown' }
  /** Opens its file anew, where the subject can. */
  | { readonly do: 'reopen' }
  /**
   * Flushes twice and shuts down, none of which is waited for, with `count` records before each and behind the last.
   * `kill`: only flushes, and is killed the moment that the second flush says that all before it has arrived.
   */
  | { readonly do: 'overlap'; readonly count: number; readonly kill?: boolean }
  /** Ends: `end` by having nothing more to do, the others as their names say. Not answered. */
  | { readonly do: 'end' | 'exit' | 'throw' | 'reject' | 'abort'; readonly code?: number }

/** How a process ends in the turn in which it has logged. */
export type Death = 'exit' | 'throw' | 'reject' | 'SIGTERM' | 'SIGINT' | 'SIGHUP'

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
      /** From the first call to the last, in ms. */
      readonly elapsed: number
      /** Calls that threw. */
      readonly threw: number
    }
  /** `next`: every record before it was flushed, if `ok`. */
  | { readonly said: 'flushed'; readonly ok: boolean; readonly next: number }
  /** `ledger` and `beside`: undefined where the subject counts nothing. `told`: errors that it told the program. */
  | {
      readonly said: 'ledger' | 'last ledger'
      readonly ledger?: ToldLedger | undefined
      readonly beside?: ToldLedger | undefined
      readonly told: readonly string[]
      readonly rss: number
    }
  | { readonly said: 'blocked' | 'shut down' }
  /** `can`: the subject has a way to. `threw`: it threw at the program. */
  | { readonly said: 'reopened'; readonly can: boolean; readonly threw: boolean }
  /** What the two flushes said, and how many records were logged before the last of what overlapped. */
  | {
      readonly said: 'overlapped'
      readonly ok: readonly [boolean, boolean]
      readonly before: number
      readonly next: number
    }

/** What a process says where it says `S`. */
export type ReplyOf<S extends Reply['said']> = Reply extends infer R
  ? R extends { readonly said: infer Said }
    ? S extends Said
      ? R
      : never
    : never
  : never
