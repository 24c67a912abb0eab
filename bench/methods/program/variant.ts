import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { CycleKind } from './cycles.ts'

/** A program that works and logs to a file, measured from start to exit. */
export interface ProgramVariant extends Variant, Lines {
  readonly warmUp: 0
  /** The log call of each cycle. */
  readonly logs: CycleKind
}
