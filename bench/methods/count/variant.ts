import type { SubjectName } from '../../subjects/index.ts'
import type { BurstVariant } from '../burst/variant.ts'

/** A burst of a program that has just started, so that all writes belong to it. */
export interface CountVariant extends BurstVariant {
  readonly warmUp: 0
  /** The subjects that are traced with fewer records, because each traced call takes about 25 µs. */
  readonly tracedAtMost: Readonly<Partial<Record<SubjectName, number>>>
}
