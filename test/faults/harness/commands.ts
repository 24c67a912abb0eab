import type { ReportedStats } from './oracle.ts'

/** The destination of a process. */
export type Sink = { readonly to: 'stdout' } | { readonly to: 'file'; readonly path: string }

/** The argument of a process, as JSON. */
export interface ProcessPlan {
  /** A file of test/faults/subjects. */
  readonly subject: string
  readonly run: string
  readonly sink: Sink
  /** A second sink for the same records, before the first: another exporter, transport or stream of the same logger. */
  readonly secondSink?: Sink
  /** Options of the subject. */
  readonly options?: object
}

/** A command for a running process. Each has a reply when it is done. */
export type Command =
  /**
   * Logs `count` records, `perTurn` in each turn of the event loop (default: all), every tenth as a warning.
   * `everyMillis` is the pause after each turn. `then` is how the process exits in the turn of the last record, after the reply.
   */
  | {
      readonly do: 'log'
      readonly count: number
      readonly perTurn?: number
      readonly everyMillis?: number
      readonly padding?: number
      readonly then?: ExitCause
    }
  | { readonly do: 'flush'; readonly timeoutMillis?: number }
  | { readonly do: 'stats' }
  /** Keeps the event loop busy. */
  | { readonly do: 'block'; readonly millis: number }
  | { readonly do: 'shutdown' }
  /** Reopens the file, if the subject supports it. */
  | { readonly do: 'reopen' }
  /**
   * Calls flush twice and then shutdown without waiting, with `count` records before each call and after the last.
   * With `kill`, the process only flushes and kills itself when the second flush resolves.
   */
  | { readonly do: 'overlap'; readonly count: number; readonly kill?: boolean }
  /** Ends the process; `end` lets the event loop become empty. Has no reply. */
  | { readonly do: 'end' | 'exit' | 'throw' | 'reject' | 'abort'; readonly code?: number }

/** How a process exits in the turn in which it has logged. */
export type ExitCause = 'exit' | 'throw' | 'reject' | 'SIGTERM' | 'SIGINT' | 'SIGHUP'

/** A reply of a process. */
export type Reply =
  | { readonly type: 'ready'; readonly pid: number }
  | {
      readonly type: 'logged'
      /** The sequence number of the next record. */
      readonly next: number
      /** The longest call and the longest turn of the event loop, in ms. */
      readonly longestCall: number
      readonly longestTurn: number
      /** The time from the first call to the last, in ms. */
      readonly elapsed: number
      /** The number of calls that threw. */
      readonly threw: number
    }
  /** If `ok`, every record before `next` was flushed. */
  | { readonly type: 'flushed'; readonly ok: boolean; readonly next: number }
  /** Without statistics `stats` and `secondStats` are undefined. `errors` are those that the logger passed to the program. */
  | {
      readonly type: 'stats' | 'final stats'
      readonly stats?: ReportedStats | undefined
      readonly secondStats?: ReportedStats | undefined
      readonly errors: readonly string[]
      readonly rss: number
    }
  | { readonly type: 'blocked' | 'shut down' }
  /** `threw`: the call threw an exception. */
  | { readonly type: 'reopened'; readonly isSupported: boolean; readonly threw: boolean }
  /** The results of the two flushes, and the number of records that were logged before shutdown. */
  | {
      readonly type: 'overlapped'
      readonly ok: readonly [boolean, boolean]
      readonly before: number
      readonly next: number
    }

/** The reply with the type `S`. */
export type ReplyOf<S extends Reply['type']> = Reply extends infer R
  ? R extends { readonly type: infer Type }
    ? S extends Type
      ? R
      : never
    : never
  : never
