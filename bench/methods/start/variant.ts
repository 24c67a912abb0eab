import type { Variant } from '../../scenarios/scenario.ts'

/** A program that has just started loads a package and does nothing else. */
export interface StartVariant extends Variant {
  readonly by: 'import' | 'require'
  /** How many programs make one run; its figure is their median. */
  readonly starts: number
}
