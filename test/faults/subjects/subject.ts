import type { ToldLedger } from '../harness/oracle.ts'
import type { Sink } from '../harness/commands.ts'

/** A logger in a process that has faults: ours or a peer's. */
export interface Subject {
  log(level: 'info' | 'warn', attributes: object): void
  /** Whether everything that was logged is with the sink. */
  flush(timeoutMillis: number): Promise<boolean>
  /** What it says became of its records; undefined where it counts nothing. */
  ledger(): ToldLedger | undefined
  /** The same of the place beside. */
  besides?(): ToldLedger | undefined
  /** Errors that it told the program: by an event, a callback or a rejection. At most a few. */
  told?(): readonly string[]
  /** Opens its file anew after somebody has renamed it. */
  reopen?(): void
  shutdown(): Promise<void>
  /** What its documentation asks of a program that ends by having nothing more to do. Default: nothing. */
  beforeEnd?(): Promise<void>
}

/** What a file of a subject exports as `open`. */
export type OpenSubject = (sink: Sink, options: object, beside: Sink | undefined) => Subject | Promise<Subject>

/** What a file of a peer exports as `facts`: what is told of it beside its results. */
export interface SubjectFacts {
  readonly package: string
  /** How it is set up: as its documentation recommends for such a sink. */
  readonly setup: string
}
