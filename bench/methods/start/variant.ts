import type { Variant } from '../../scenarios/scenario.ts'

/** A program that only loads a package. */
export interface StartVariant extends Variant {
  readonly by: 'import' | 'require'
  /** The number of programs in one run. The figure is their median. */
  readonly starts: number
}
