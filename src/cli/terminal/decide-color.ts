import type { Environment } from '../../platform/node/variables.ts'
import { usesColor } from '../../platform/node/terminal.ts'

/** The values of the flag `--color`. */
export type ColorChoice = 'auto' | 'always' | 'never'

/**
 * Returns whether text is colored. The first rule that applies decides: the flag `--color`, `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`, and
 * whether the output is a terminal.
 */
export function decideColor(choice: ColorChoice, isTerminal: boolean, environment: Environment): boolean {
  return choice === 'auto' ? usesColor(isTerminal, environment) : choice === 'always'
}
