import type { Figures } from '../../figures.ts'

/** What the server is asked. */
export type ServerQuestion = { readonly ask: 'listen' } | { readonly ask: 'begin' } | { readonly ask: 'end' }

export interface Listening {
  readonly port: number
}

/** The load may come. */
export interface Begun {
  readonly begun: true
}

/** What the server found between `begin` and `end`. */
export interface Served {
  readonly figures: Figures
  /** CPU time of all threads, in µs, until all was written. */
  readonly cpuMicros: number
  readonly calibration: number
  /** How many records it has logged since it started, and what the subject says became of them. */
  readonly records: number
  readonly ledger: { readonly written: number; readonly lost: number } | undefined
}

/** What the load is asked: so much, and without `requests` as much as there is time for. */
export interface LoadQuestion {
  readonly port: number
  readonly seconds: number
  readonly requests: number | undefined
  /** Each answer is read; this is not done where it is timed. */
  readonly verify: boolean
}

export interface Loaded {
  readonly answered: number
  /** From the first answer to the last. */
  readonly seconds: number
  /** In µs, from the request to its whole answer. */
  readonly latency50: number
  readonly latency99: number
  readonly problems: readonly string[]
}
