import type { Variant } from '../../scenarios/scenario.ts'

/** A program that logs one line and exits. */
export interface FirstLineVariant extends Variant {
  readonly by: 'import' | 'require'
  /** Whether Node uses a compile cache (`NODE_COMPILE_CACHE`), as for a restarted service. */
  readonly compileCache: boolean
  /** The number of programs in one run. The figure is their median. */
  readonly starts: number
}
