import { nearestName } from '../../options/nearest-name.ts'
import { commandWords } from './command-table.ts'
import type { CommandName, OptionDefinition } from './definition.ts'
import { options } from './option-table.ts'
import { ParsedOptions } from './parsed-options.ts'
import { UsageError } from './usage-error.ts'

/** The arguments of one run of the program. */
export interface ParsedArguments {
  readonly command: CommandName
  readonly options: ParsedOptions
  readonly operands: readonly string[]
  /** The program of `sluice ui` and its arguments, which follow `--`; undefined without `--`. */
  readonly program: readonly string[] | undefined
}

/**
 * Parses the arguments of the program. Options and operands can be in any order; after `--` every argument is an operand, or belongs to the program of `sluice ui`. The value of
 * an option is the next argument, even if it begins with a dash (`--since -3d`), or follows `=` or the letter of the option (`-n20`).
 *
 * @throws UsageError if an option is unknown, belongs to another command, or has no value or a wrong one.
 */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const word = commandWords.find((name) => name === args[0])
  const command = word ?? 'view'
  const parsed = new ParsedOptions()
  const operands: string[] = []
  const remaining = word === undefined ? [...args] : args.slice(1)
  for (let argument = remaining.shift(); argument !== undefined; argument = remaining.shift()) {
    if (argument === '--') {
      if (command === 'ui') return { command, options: parsed, operands, program: remaining }
      operands.push(...remaining)
      break
    }
    if (argument.startsWith('--')) parseLong(argument, remaining, command, parsed)
    else if (argument.length > 1 && argument.startsWith('-')) parseShort(argument, remaining, command, parsed)
    else operands.push(argument)
  }
  return { command, options: parsed, operands, program: undefined }
}

/** Parses `--name`, `--name VALUE` or `--name=VALUE`. */
function parseLong(argument: string, remaining: string[], command: CommandName, parsed: ParsedOptions): void {
  const equals = argument.indexOf('=')
  const name = argument.slice(2, equals < 0 ? undefined : equals)
  const option = optionOf(command, `--${name}`, (candidate) => candidate.name === name)
  if (option.value === undefined) {
    if (equals >= 0) throw new UsageError(`--${name} takes no value; write --${name}`)
    parsed.add(option)
  } else {
    const value = equals < 0 ? remaining.shift() : argument.slice(equals + 1)
    parsed.add(option, checkedValue(option, `--${name}`, value))
  }
}

/** Parses one or more letters, such as `-f`, `-fn20` or `-fn 20`. */
function parseShort(argument: string, remaining: string[], command: CommandName, parsed: ParsedOptions): void {
  if (names(options).some((name) => argument === `-${name}`)) {
    throw new UsageError(`unknown option ${argument}; did you mean -${argument}?`)
  }
  for (let index = 1; index < argument.length; index++) {
    const letter = argument[index]!
    const option = optionOf(command, `-${letter}`, ({ short }) => short === letter)
    if (option.value === undefined) {
      parsed.add(option)
      continue
    }
    const attached = argument.slice(index + 1).replace(/^=/, '')
    parsed.add(option, checkedValue(option, `-${letter}`, attached === '' ? remaining.shift() : attached))
    return
  }
}

function optionOf(
  command: CommandName,
  given: string,
  isMeant: (option: OptionDefinition) => boolean,
): OptionDefinition {
  const ofCommand = options.filter((option) => option.commands.includes(command))
  const found = ofCommand.find(isMeant)
  if (found !== undefined) return found
  if (command === 'level' && given === '--token') {
    throw new UsageError(
      '--token would show the token to other users; set SLUICE_LEVEL_TOKEN, or write --token-file FILE',
    )
  }
  const elsewhere = options.find(isMeant)
  if (elsewhere !== undefined) {
    const owners = elsewhere.commands.map((name) => (name === 'view' ? 'sluice' : `sluice ${name}`)).join(' and ')
    throw new UsageError(`${given} is not an option of ${commandText(command)}, only of ${owners}`)
  }
  const nearest = given.startsWith('--')
    ? nearestName(given.slice(2), names(ofCommand))
    : ofCommand.find(({ short }) => short?.toLowerCase() === given.slice(1).toLowerCase())?.short
  if (nearest === undefined) throw new UsageError(`unknown option ${given}; see ${commandText(command)} --help`)
  throw new UsageError(`unknown option ${given}; did you mean ${given.startsWith('--') ? '--' : '-'}${nearest}?`)
}

function names(list: readonly OptionDefinition[]): string[] {
  return list.map(({ name }) => name)
}

/** Returns how the user calls a command. */
function commandText(command: CommandName): string {
  return command === 'view' ? 'sluice' : `sluice ${command}`
}

function checkedValue({ value: valueName, choices, name }: OptionDefinition, given: string, value?: string): string {
  if (value === undefined || value === '') throw new UsageError(`${given} needs a value: ${given} ${valueName}`)
  if (choices !== undefined && !choices.includes(value)) {
    const nearest = nearestName(value, choices)
    const hint = nearest === undefined ? `use one of ${choices.join(', ')}` : `did you mean ${nearest}?`
    throw new UsageError(`--${name} has no value '${value}'; ${hint}`)
  }
  return value
}
