import { optionGroups, type CommandName, type OptionDefinition, type OptionGroup } from '../options/definition.ts'
import { options } from '../options/option-table.ts'

/** A group of options with its heading. */
export interface OptionSection {
  readonly group: OptionGroup
  readonly options: readonly OptionDefinition[]
}

/** Returns the options of a command by group, in the order of the headings. */
export function optionSections(command: CommandName): OptionSection[] {
  return optionGroups.flatMap((group) => {
    const ofGroup = options.filter((option) => option.group === group && option.commands.includes(command))
    return ofGroup.length === 0 ? [] : [{ group, options: ofGroup }]
  })
}

/** Returns the form of an option: `-n, --tail N`. */
export function optionForm({ name, short, value }: OptionDefinition): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`
  return short === undefined ? long : `-${short}, ${long}`
}

/** Returns the summary of an option with its default. */
export function optionSummary({ summary, default: fallback, choices, suggestions, name }: OptionDefinition): string {
  const names = name === 'redact' ? suggestions : choices
  const listed = names === undefined || name === 'color' ? '' : `: ${names.join(', ')}`
  return summary + listed + (fallback === undefined ? '' : ` (default: ${fallback})`)
}

/** Returns the usage line of a command. */
export function usageLine(command: { readonly name: CommandName; readonly operands: string }): string {
  const name = command.name === 'view' ? 'sluice' : `sluice ${command.name}`
  return `${name} [OPTION…] ${command.operands}`
}

/** Returns the forms of an option on the command line: `-n` and `--tail`. */
export function optionWords({ name, short }: OptionDefinition): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`]
}

/** Returns whether the value of an option is a list that is separated by commas, of which a shell completes the last part. */
export function isList({ value }: OptionDefinition): boolean {
  return value?.endsWith(',…') === true
}

/** Returns the values with which a shell completes an option. */
export function valuesOf({ choices, suggestions }: OptionDefinition): readonly string[] {
  return choices ?? suggestions ?? []
}
