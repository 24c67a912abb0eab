import { sdkVersion } from '../record/sdk-version.ts'
import { runCodemod } from './codemod.ts'
import { completionScript } from './completions.ts'
import { helpText } from './help/help-text.ts'
import { commandWords } from './options/command-table.ts'
import type { CommandName } from './options/definition.ts'
import { parseArguments } from './options/parse-arguments.ts'
import { UsageError } from './options/usage-error.ts'
import { runCheckCommand, runStatsCommand } from './reports.ts'
import { writeAll } from './terminal/write-pieces.ts'
import { runView } from './view/view.ts'
import { isTerminal } from './terminal/is-terminal.ts'

const standardInput = 0

/** Runs the program and returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  if (args.length === 0 && isTerminal(standardInput)) return print(helpText('view'))
  const parsed = parseArguments(args)
  if (parsed.options.has('help')) return print(helpText(parsed.command))
  if (parsed.options.has('version')) return print(`${sdkVersion}\n`)
  switch (parsed.command) {
    case 'view':
      return runView(parsed)
    case 'stats':
      return runStatsCommand(parsed)
    case 'check':
      return runCheckCommand(parsed)
    case 'codemod':
      return runCodemod(parsed)
    case 'completions':
      return print(completionScript(parsed.operands))
    default:
      return print(helpText(helpTopic(parsed.operands)))
  }
}

function helpTopic(operands: readonly string[]): CommandName {
  const [topic] = operands
  if (topic === undefined) return 'view'
  const command = commandWords.find((word) => word === topic)
  if (command !== undefined && operands.length === 1) return command
  throw new UsageError(`help: there is no command '${operands.join(' ')}'; use one of ${commandWords.join(', ')}`)
}

/** Writes text to the standard output, and returns the exit code. A closed pipe, as with `head`, is not an error. */
function print(text: string): number {
  const bytes = Buffer.from(text)
  writeAll(standardOutput, bytes, bytes.length)
  return 0
}

const standardOutput = 1
