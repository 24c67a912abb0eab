import type { Expected, Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'

/** One very long record, independent of the command line, as the first record of a program, to a file. */
export interface HugeVariant extends Variant, Lines {
  readonly records: 1
  readonly warmUp: 0
  /** Returns its message as a flat string. */
  expected(): Expected
}
