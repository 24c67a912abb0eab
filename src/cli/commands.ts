import { sdkVersion } from '../record/sdk-version.ts'
import { commandHint } from './options/command-hint.ts'
import { commandWords } from './options/command-table.ts'
import type { CommandName } from './options/definition.ts'
import { parseArguments, type ParsedArguments } from './options/parse-arguments.ts'
import { UsageError } from './options/usage-error.ts'
import { writeAll } from './terminal/write-pieces.ts'
import { isTerminal } from './terminal/is-terminal.ts'

const standardInput = 0

/** Runs the program and returns its exit code. Only the code of the command that runs is loaded. */
export async function runCommand(args: readonly string[]): Promise<number> {
  if (args.length === 0 && isTerminal(standardInput)) return printHelp('view')
  const parsed = parseArguments(args)
  if (parsed.options.has('help')) return printHelp(helpedCommand(parsed))
  if (parsed.options.has('version')) return print(`${sdkVersion}\n`)
  switch (parsed.command) {
    case 'view':
      requireNoCommand(parsed)
      return (await import('./view/view.ts')).runView(parsed)
    case 'stats':
      return (await import('./reports.ts')).runStatsCommand(parsed)
    case 'check':
      return (await import('./reports.ts')).runCheckCommand(parsed)
    case 'ui':
      return (await import('./ui/run-ui.ts')).runUi(parsed)
    case 'level':
      return (await import('./level/run-level.ts')).runLevelCommand(parsed)
    case 'codemod':
      return (await import('./codemod.ts')).runCodemod(parsed)
    case 'completions':
      return print((await import('./completions.ts')).completionScript(parsed.operands))
    default:
      return printHelp(helpTopic(parsed.operands))
  }
}

/** @throws UsageError if the first file is a misspelled or misplaced command. */
function requireNoCommand(parsed: ParsedArguments): void {
  const hint = commandHint(parsed)
  if (hint !== undefined) throw new UsageError(hint)
}

async function printHelp(name: CommandName): Promise<number> {
  return print((await import('./help/help-text.ts')).helpText(name))
}

function helpTopic(operands: readonly string[]): CommandName {
  const [topic] = operands
  if (topic === undefined) return 'view'
  const command = commandNamed(topic)
  if (command !== undefined && operands.length === 1) return command
  throw new UsageError(`help: there is no command '${operands.join(' ')}'; use one of ${commandWords.join(', ')}`)
}

/** Returns the command whose help is shown: `stats` also with `sluice --help stats`. */
function helpedCommand({ command, operands }: ParsedArguments): CommandName {
  return command === 'view' ? (commandNamed(operands[0]) ?? command) : command
}

function commandNamed(name?: string): CommandName | undefined {
  return commandWords.find((word) => word === name)
}

/** Writes text to the standard output, and returns the exit code. A closed pipe, as with `head`, is not an error. */
function print(text: string): number {
  const bytes = Buffer.from(text)
  writeAll(standardOutput, bytes, bytes.length)
  return 0
}

const standardOutput = 1
