import type { ScenarioName } from '../scenarios/index.ts'
import type { Destination } from '../scenarios/scenario.ts'
import type { SubjectName } from '../subjects/index.ts'

/** What one measured process does. */
export interface Job {
  readonly scenario: ScenarioName
  readonly to: Destination
  readonly subject: SubjectName
  /** The folder of the sluice build. */
  readonly build: string
  /** How many records are timed. */
  readonly records: number
  /** Profile the timed part and keep the profile in this file. */
  readonly profile?: string
}

/** What it found, of the timed part alone; times in ns a record. */
export interface Measured {
  /** On the calling thread, until the last call has returned. */
  readonly loop: number
  /** Until the last byte was written, the flush included. */
  readonly drain: number
  /** CPU time of all threads until then. */
  readonly cpu: number
  /** Bytes and calls of write(2), of all threads; undefined where the system does not tell. */
  readonly bytes: number | undefined
  readonly writes: number | undefined
  /** Peak resident memory over that at the start, in MB. */
  readonly memory: number
  /** How long a fixed piece of work took just before and just after, the longer one, in ms. */
  readonly calibration: number
  /** The subject's own count of all records, those of the warm-up included. */
  readonly ledger: { readonly written: number; readonly lost: number } | undefined
  readonly profile: readonly ProfiledFunction[] | undefined
}

/** The time of one function, without those it calls. */
export interface ProfiledFunction {
  readonly name: string
  readonly place: string
  readonly share: number
  /** A record. */
  readonly nanos: number
}
