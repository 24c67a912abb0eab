import type { Expected, Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'

/** One record, whatever the command line says, that is very long. It goes to a file, as the first record of a program. */
export interface HugeVariant extends Variant, Lines {
  readonly records: 1
  readonly warmUp: 0
  /** Its message is made when this is called: a string that is flat. */
  expected(): Expected
}
