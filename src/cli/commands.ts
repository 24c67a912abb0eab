import { sdkVersion } from '../record/sdk-version.ts'
import { runCodemod } from './codemod.ts'
import { helpText } from './help/help-text.ts'
import { commandWords } from './options/command-table.ts'
import { parseArguments, type ParsedArguments } from './options/parse-arguments.ts'
import { UsageError } from './options/usage-error.ts'
import { runView } from './view/view.ts'

/** Runs the program and returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  if (args.length === 0 && process.stdin.isTTY) return print(helpText('view'))
  const parsed = parseArguments(args)
  if (parsed.options.has('help')) return print(helpText(parsed.command))
  if (parsed.options.has('version')) return print(`${sdkVersion}\n`)
  switch (parsed.command) {
    case 'view':
      return runView(parsed)
    case 'help':
      return print(helpText(helpTopic(parsed)))
    case 'codemod':
      return runCodemod(parsed)
    default:
      throw new UsageError(`${parsed.command} is not available yet`)
  }
}

function helpTopic({ operands }: ParsedArguments): (typeof commandWords)[number] | 'view' {
  const [topic, ...more] = operands
  if (topic === undefined) return 'view'
  const command = commandWords.find((word) => word === topic)
  if (command !== undefined && more.length === 0) return command
  throw new UsageError(`there is no command '${operands.join(' ')}'; use one of ${commandWords.join(', ')}`)
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
