import { bashCompletions } from './help/completions-bash.ts'
import { fishCompletions } from './help/completions-fish.ts'
import { zshCompletions } from './help/completions-zsh.ts'
import { UsageError } from './options/usage-error.ts'

const scripts: ReadonlyMap<string, () => string> = new Map([
  ['bash', bashCompletions],
  ['zsh', zshCompletions],
  ['fish', fishCompletions],
])

/**
 * Returns the completion script for a shell.
 *
 * @param operands - the operands of `sluice completions`
 * @throws UsageError if they are not the name of one supported shell.
 */
export function completionScript(operands: readonly string[]): string {
  const script = operands.length === 1 ? scripts.get(operands[0]!) : undefined
  if (script !== undefined) return script()
  throw new UsageError(`completions: write the name of one shell: ${[...scripts.keys()].join(', ')}`)
}
