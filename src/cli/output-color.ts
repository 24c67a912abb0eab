import { usesColor } from '../platform/node/terminal.ts'
import type { ParsedOptions } from './options/parsed-options.ts'

/** Returns whether the standard output is colored: the option `--color`, then NO_COLOR, FORCE_COLOR and whether it is a terminal. */
export function isColored(options: ParsedOptions): boolean {
  const when = options.value('color') ?? 'auto'
  return when === 'auto' ? usesColor(process.stdout.isTTY, process.env) : when === 'always'
}
