import { commandOf, commands } from '../options/command-table.ts'
import type { CommandDefinition, CommandName } from '../options/definition.ts'
import { twoColumns, wrap } from './layout.ts'
import { optionForm, optionSections, optionSummary, usageLine } from './option-text.ts'

const width = 80
const optionColumn = 28

/** Returns the help of a command: `sluice --help` for the view, with the list of commands. */
export function helpText(name: CommandName): string {
  const command = commandOf(name)
  const parts = [`Usage: ${usageLine(command)}`]
  if (name === 'view') parts.push(`       sluice COMMAND [OPTION…] [OPERAND…]`)
  const sections = [
    parts.join('\n'),
    ...command.details.map((paragraph) => wrap(plain(paragraph), width).join('\n')),
    ...(name === 'view' ? [commandList()] : []),
    ...optionSections(name).map(({ group, options }) =>
      [
        `${group} options:`,
        ...options.map((option) =>
          twoColumns(
            indented(optionForm(option), option.short === undefined),
            optionSummary(option),
            optionColumn,
            width,
          ),
        ),
      ].join('\n'),
    ),
    ...exampleList(command),
    ...(name === 'view' ? ['`sluice help COMMAND` shows the options of a command.'] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

function indented(form: string, isLongOnly: boolean): string {
  return (isLongOnly ? '      ' : '  ') + form
}

function commandList(): string {
  const listed = commands.filter(({ name }) => name !== 'view')
  const lines = listed.map(({ name, summary }) => twoColumns(`  ${name}`, summary, 16, width))
  return ['Commands:', ...lines].join('\n')
}

function exampleList({ examples }: CommandDefinition): string[] {
  if (examples.length === 0) return []
  const lines = examples.flatMap(({ command, comment }) => [`  # ${plain(comment)}`, `  ${command}`])
  return [['Examples:', ...lines].join('\n')]
}

/** Returns Markdown without backticks. */
function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}
