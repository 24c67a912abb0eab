import { existsSync } from 'node:fs'
import { nearestName } from '../../options/nearest-name.ts'
import { commandWords } from './command-table.ts'
import type { ParsedArguments } from './parse-arguments.ts'

/** What users of other programs write first, with the arguments that do it. */
const forms: ReadonlyMap<string, string> = new Map([
  ...commandWords.map((word) => [word, word] as const),
  ['follow', '-f FILE'],
  ['tail', '-f FILE'],
  ['watch', '-f FILE'],
  ['search', '-q EXPR FILE'],
  ['query', '-q EXPR FILE'],
  ['grep', '-q EXPR FILE'],
  ['sort', '-s FILE…'],
  ['merge', '-s FILE…'],
  ['view', 'FILE'],
  ['show', 'FILE'],
  ['version', '--version'],
])

/**
 * Returns the error of a view whose first file is a command: a misspelled one, one after options, or one of other programs. Returns
 * undefined if the file exists, and for a single file to follow, which may be created later.
 */
export function commandHint({ operands, options }: ParsedArguments): string | undefined {
  const [word = ''] = operands
  const canBeMissing = options.has('follow') && operands.length === 1
  if (canBeMissing || !/^[a-z]+$/.test(word) || existsSync(word)) return undefined
  const nearest = nearestName(word, [...forms.keys()])
  if (nearest === undefined) return undefined
  if (commandWords.some((name) => name === word)) return `write the command before the options: sluice ${word} …`
  return `there is no command or file '${word}'; did you mean sluice ${forms.get(nearest)}?`
}
