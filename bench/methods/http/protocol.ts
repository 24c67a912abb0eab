import type { Figures } from '../../figures.ts'
import type { RecordShape } from '../../subjects/subject.ts'

/** A request to the server: for its port, the begin and end of a lap, and shutdown. */
export type ServerCommand = { readonly command: 'listen' | 'begin' | 'lap' | 'end' }

export interface ListenReply {
  readonly port: number
}

/** The server is ready for the load. */
export interface BeginReply {
  readonly begun: true
}

/** The measurements of the server since `begin`. */
export interface ServerLap {
  /** CPU time of all threads until all records are written, in µs. */
  readonly cpuMicros: number
  /** The time in which the event loop was busy, in ms. */
  readonly activeMillis: number
  readonly calibration: number
}

export interface ServerResult {
  readonly figures: Figures
  /** The record shape of the request logger of the subject. */
  readonly shape: RecordShape | undefined
  /** The number of logged records since the start, if known, and the statistics of the subject. */
  readonly records: number | undefined
  readonly stats: { readonly written: number; readonly lost: number } | undefined
}

/** A request to the load: the number of requests, or a duration without `requests`. */
export interface LoadCommand {
  readonly port: number
  readonly seconds: number
  readonly requests: number | undefined
  /** Whether responses are compared, which is not done in timed laps. */
  readonly verify: boolean
}

export interface LoadResult {
  readonly answered: number
  /** The time from the first response to the last. */
  readonly seconds: number
  /** The latency of complete responses, in µs. */
  readonly latency50: number
  readonly latency99: number
  readonly problems: readonly string[]
}
