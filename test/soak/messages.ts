import type { ReportedStats } from '../faults/harness/oracle.ts'
import type { Misbehavior } from './user-code.ts'

/** The argument of an application, as JSON. */
export interface ApplicationPlan {
  /** The id of the process run, which is also the name of its logger. */
  readonly run: string
  /** The seed of its records. */
  readonly seed: number
  readonly recordsPerSecond: number
  readonly directory: string
  /** The name of the application, which is part of file names. */
  readonly application: string
  /** A URL without a path. */
  readonly url: string
}

/** A command for an application. */
export type Command =
  | { readonly do: 'block'; readonly millis: number }
  | { readonly do: 'burst'; readonly records: number }
  | { readonly do: 'misbehave'; readonly kind: Misbehavior; readonly millis: number }
  | { readonly do: 'reopen' | 'kill writer' | 'fatal' | 'sample' | 'spooled' | 'exit' | 'shutdown' }
  /** Replied to with `flushed`. */
  | { readonly do: 'flush'; readonly timeoutMillis: number }

/** A message of an application on descriptor 3. */
export type Message =
  | { readonly type: 'ready'; readonly pid: number }
  /** Sent regularly, and at exit as `final stats`: the statistics of each destination. Every record below `next` was logged. */
  | { readonly type: 'stats' | 'final stats'; readonly next: number; readonly stats: readonly ReportedStats[] }
  /** Whether all queues became empty before the timeout. */
  | { readonly type: 'flushed'; readonly inTime: boolean }
  | ({ readonly type: 'sample' } & Sample)
  /** The number of records in the files of its spools. */
  | { readonly type: 'spooled'; readonly queued: number }
  /** An error, as a sentence. */
  | { readonly type: 'error'; readonly what: string }

/** The resources of a process after a garbage collection. */
export interface Sample {
  /** In bytes. */
  readonly rss: number
  readonly heapTotal: number
  readonly heapUsed: number
  readonly external: number
  /** The part of `external` that buffers use. */
  readonly arrayBuffers: number
  /** Open descriptors. */
  readonly fds: number
  /** The resources that keep the process alive, such as timers and sockets, by type. */
  readonly resources: Readonly<Record<string, number>>
  /** Listeners of the process by event. */
  readonly listeners: Readonly<Record<string, number>>
}
