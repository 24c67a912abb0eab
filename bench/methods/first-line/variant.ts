import type { Variant } from '../../scenarios/scenario.ts'

/** A program that logs one line and exits. */
export interface FirstLineVariant extends Variant {
  readonly by: 'import' | 'require'
  /** Node keeps the code it has compiled (`NODE_COMPILE_CACHE`), as it does for a service that is started again. */
  readonly compileCache: boolean
  /** How many programs make one run; its figure is their median. */
  readonly starts: number
}
