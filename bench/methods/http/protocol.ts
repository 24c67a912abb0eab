import type { Figures } from '../../figures.ts'
import type { RecordShape } from '../../subjects/subject.ts'

/** What the server is asked: for its port; to begin and to end a lap of the load; and to stop. */
export type ServerQuestion = { readonly ask: 'listen' | 'begin' | 'lap' | 'end' }

export interface Listening {
  readonly port: number
}

/** The load may start. */
export interface Begun {
  readonly begun: true
}

/** What the server measured since `begin`. */
export interface ServedLap {
  /** CPU time of all threads, in µs, until all records were written. */
  readonly cpuMicros: number
  /** How long the event loop did not wait, in ms. */
  readonly activeMillis: number
  readonly calibration: number
}

export interface Served {
  readonly figures: Figures
  /** The records of the subject's own request logger. */
  readonly shape: RecordShape | undefined
  /** How many records the server has logged since it started, where it knows, and the subject's own statistics. */
  readonly records: number | undefined
  readonly stats: { readonly written: number; readonly lost: number } | undefined
}

/** What the load is asked: so many requests, and without `requests` as many as there is time for. */
export interface LoadQuestion {
  readonly port: number
  readonly seconds: number
  readonly requests: number | undefined
  /** Each answer is compared; not where it is timed. */
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
