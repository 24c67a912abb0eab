import type { ToldLedger } from '../faults/harness/oracle.ts'
import type { Misbehavior } from './user-code.ts'

/** What an application is started with, as JSON. */
export interface ApplicationPlan {
  /** Of this life: what its logger is called, and what its records belong to. */
  readonly run: string
  /** What its records are made from. */
  readonly seed: number
  readonly recordsPerSecond: number
  readonly directory: string
  /** The part of names that is the application's. */
  readonly application: string
  /** A URL without a path. */
  readonly url: string
}

/** What an application is told to do. */
export type Command =
  | { readonly do: 'block'; readonly millis: number }
  | { readonly do: 'burst'; readonly records: number }
  | { readonly do: 'misbehave'; readonly kind: Misbehavior; readonly millis: number }
  | { readonly do: 'reopen' | 'kill writer' | 'fatal' | 'sample' | 'spooled' | 'exit' | 'shutdown' }
  /** Answered by `flushed`. */
  | { readonly do: 'flush'; readonly timeoutMillis: number }

/** What an application says by its descriptor 3. */
export type Said =
  | { readonly said: 'hello'; readonly pid: number }
  /** Now and then, and `last` at the very end: every record below `next` was logged. One ledger for each destination. */
  | { readonly said: 'ledgers' | 'last'; readonly next: number; readonly ledgers: readonly ToldLedger[] }
  /** Whether what had been logged before has left the queues. */
  | { readonly said: 'flushed'; readonly inTime: boolean }
  | ({ readonly said: 'sample' } & Sample)
  /** How many records wait in the files of its spools. */
  | { readonly said: 'spooled'; readonly waiting: number }
  /** What must not be. */
  | { readonly said: 'wrong'; readonly what: string }

/** What a process holds, after a garbage collection. */
export interface Sample {
  /** In bytes. */
  readonly rss: number
  readonly heapTotal: number
  readonly heapUsed: number
  readonly external: number
  /** Of these, what buffers have. */
  readonly arrayBuffers: number
  /** Open descriptors. */
  readonly fds: number
  /** Timers, sockets and the like that keep it alive, by type. */
  readonly resources: Readonly<Record<string, number>>
  /** Listeners of the process by event. */
  readonly listeners: Readonly<Record<string, number>>
}
