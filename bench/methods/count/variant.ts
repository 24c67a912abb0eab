import type { SubjectName } from '../../subjects/index.ts'
import type { BurstVariant } from '../burst/variant.ts'

/** A burst of a program that has just started: no record goes before, so that all that is written belongs to it. */
export interface CountVariant extends BurstVariant {
  readonly warmUp: 0
  /** Who is traced for fewer records: each traced call takes some 25 µs. */
  readonly tracedAtMost: Readonly<Partial<Record<SubjectName, number>>>
}
