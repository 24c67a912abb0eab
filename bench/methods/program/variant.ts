import type { Lines } from '../../scenarios/lines.ts'
import type { Variant } from '../../scenarios/scenario.ts'
import type { Logged } from './cycles.ts'

/** A program that works and logs, from its start to its end, to a file. */
export interface ProgramVariant extends Variant, Lines {
  readonly warmUp: 0
  /** What it logs in each cycle. */
  readonly logs: Logged
}
