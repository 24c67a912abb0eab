import type { Log, LogSetup } from '../subjects/subject.ts'
import type { SubjectName } from '../subjects/index.ts'

/** What stands behind the standard output of a measured process. */
export const destinations = ['null', 'file', 'pipe'] as const
export type Destination = (typeof destinations)[number]

/** One question. Records are numbered from 0, those of the warm-up included. */
export interface Scenario {
  readonly question: string
  /** How many are timed, and how many go before. */
  readonly records: number
  readonly warmUp: number
  /** How many are logged in one turn of the event loop; Infinity for a burst. */
  readonly perTurn: number
  readonly setup: LogSetup
  /** The subjects beside ours, by destination. */
  readonly rivals: Readonly<Partial<Record<Destination, readonly SubjectName[]>>>
  readonly targets: readonly Target[]
  /** Logs the records from `from` up to `to`. This loop is timed. */
  run(log: Log, from: number, to: number): void
  /** What record number `index` must say; undefined for a scenario that writes nothing. */
  readonly expected?: (index: number) => { readonly message: string; readonly attributes: object }
}

/** What a release must show. */
export type Target =
  /** Our time over the rival's, of the loop and until drained. */
  | { readonly to: readonly Destination[]; readonly rival: SubjectName; readonly ratio: number }
  /** Our loop in ns a call. */
  | { readonly to: readonly Destination[]; readonly nanos: number }
