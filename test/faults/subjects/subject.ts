import type { ReportedStats } from '../harness/oracle.ts'
import type { Sink } from '../harness/commands.ts'

/** A logger under test: sluice or a peer. */
export interface Subject {
  log(level: 'info' | 'warn', attributes: object): void
  /** Resolves with whether all records were delivered. */
  flush(timeoutMillis: number): Promise<boolean>
  /** Returns the delivery statistics, or undefined if the logger has none. */
  stats(): ReportedStats | undefined
  /** Returns the delivery statistics of the second sink. */
  secondStats?(): ReportedStats | undefined
  /** Returns the first errors that the logger passed to the program by an event, a callback or a rejection. */
  errors?(): readonly string[]
  /** Reopens the file after it was renamed. */
  reopen?(): void
  shutdown(): Promise<void>
  /** Does what its documentation requires before the event loop becomes empty. Default: nothing. */
  beforeEnd?(): Promise<void>
}

/** The `open` export of a subject. */
export type OpenSubject = (sink: Sink, options: object, secondSink: Sink | undefined) => Subject | Promise<Subject>

/** The `facts` export of a peer, which is published with its results. */
export interface SubjectFacts {
  readonly package: string
  /** Its setup, as its documentation recommends for the sink. */
  readonly setup: string
}
