import type { Variant } from '../../scenarios/scenario.ts'

/** A program with many log calls that a compiler checks. */
export interface TypesVariant extends Variant {
  /** The package of the compiler, in `node_modules` of the project or of the benchmark. */
  readonly compiler: 'typescript' | 'typescript-6'
  /** The number of log calls, a multiple of the number of kinds. */
  readonly calls: number
  /** The number of compilations in one run. Times are their medians. */
  readonly compilations: number
}
