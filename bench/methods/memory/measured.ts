import type { Measured } from '../burst/measured.ts'

/** The result of the process that counts bytes. */
export interface Allocated extends Measured {
  /** Why the figures are invalid. */
  readonly problem: string | undefined
}
