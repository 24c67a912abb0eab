import { commandOf, commands } from '../options/command-table.ts'
import { options } from '../options/option-table.ts'
import { environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
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
    ...optionSections(name).map(({ group, options: ofGroup }) =>
      [
        `${group} options:`,
        ...ofGroup.map((option) =>
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
    ...(name === 'view' || name === 'check'
      ? [
          list(
            'Exit codes',
            exitCodes.map(({ code, meaning }) => [String(code), meaning]),
          ),
        ]
      : []),
    ...(name === 'view'
      ? [list('Environment', environment), 'sluice COMMAND --help shows the help of a command.']
      : []),
  ]
  return `${sections.join('\n\n')}\n`
}

function indented(form: string, isLongOnly: boolean): string {
  return (isLongOnly ? '      ' : '  ') + form
}

function commandList(): string {
  const listed = commands.filter(({ name }) => name !== 'view')
  return list(
    'Commands',
    listed.map(({ name, summary }) => [name, summary + ownOptions(name)]),
  )
}

/** Returns the names of the options that a command has and the view does not, in parentheses. */
function ownOptions(command: CommandName): string {
  const ofView = new Set(options.filter((option) => option.commands.includes('view')).map(({ name }) => name))
  const own = options.filter((option) => option.commands.includes(command) && !ofView.has(option.name))
  return own.length === 0 ? '' : ` (${own.map(({ name }) => `--${name}`).join(', ')})`
}

/** Returns a heading with names and their descriptions. */
function list(heading: string, rows: readonly (readonly [string, string])[]): string {
  const column = Math.max(16, ...rows.map(([name]) => name.length + 4))
  return [`${heading}:`, ...rows.map(([name, text]) => twoColumns(`  ${name}`, plain(text), column, width))].join('\n')
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
