import type { Measured } from '../burst/measured.ts'

/** What the process found that counts bytes. */
export interface Allocated extends Measured {
  /** Why they do not count. */
  readonly problem: string | undefined
}
