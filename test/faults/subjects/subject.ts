import type { ToldLedger } from '../harness/oracle.ts'
import type { Sink } from '../harness/commands.ts'

/** A logger in a process that has faults: ours or a peer's. */
export interface Subject {
  log(level: 'info' | 'warn', attributes: object): void
  /** Whether everything that was logged is with the sink. */
  flush(timeoutMillis: number): Promise<boolean>
  /** What it says became of its records; undefined where it counts nothing. */
  ledger(): ToldLedger | undefined
  shutdown(): Promise<void>
}

/** What a file of a subject exports as `open`. */
export type OpenSubject = (sink: Sink, options: object) => Subject | Promise<Subject>
