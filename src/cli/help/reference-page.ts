import { commands } from '../options/command-table.ts'
import type { CommandDefinition, OptionDefinition } from '../options/definition.ts'
import { environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { optionSections, optionWords, usageLine } from './option-text.ts'

/** Returns the reference page of the command line in Markdown. */
export function referencePage(): string {
  const parts = [
    '# Command-line options',
    'The options of `sluice`. Begin with the [guide](../guides/command-line.md). This page is generated from the table that the program uses: `npm run command-line`.',
    'Options and files can be in any order. The value of an option is the next argument, or follows `=` or the letter of the option: `-n 20`, `-n20`, `--tail=20`. After `--`, every argument is a file. A command must be the first argument: `sluice stats app.log` runs the command, and `sluice ./stats` shows a file of that name.',
    ...commands.map(commandPart),
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      exitCodes.map(({ code, meaning }) => [String(code), meaning]),
    ),
    '## Environment variables',
    table(
      ['Variable', 'Meaning'],
      environment.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function commandPart(command: CommandDefinition): string {
  const { name, details } = command
  const heading = name === 'view' ? '## Viewing logs' : `## sluice ${name}`
  const tables = optionSections(name).map(({ group, options }) => {
    const rows = options.map((option) => [form(option), sentence(option), fallback(option)])
    return table([`${group} options`, '', 'Default'], rows)
  })
  return [heading, `\`\`\`sh\n${usageLine(command)}\n\`\`\``, ...details, ...tables].join('\n\n')
}

function form(option: OptionDefinition): string {
  const words = optionWords(option)
  return `\`${[...words.slice(0, -1), words.at(-1)! + (option.value === undefined ? '' : ` ${option.value}`)].join('`, `')}\``
}

function sentence({ name, summary, details, choices, suggestions }: OptionDefinition): string {
  const names = name === 'redact' ? suggestions : name === 'color' ? undefined : choices
  const listed = names === undefined ? '' : ` (${names.map((word) => `\`${word}\``).join(', ')})`
  const first = `${summary[0]!.toUpperCase()}${summary.slice(1)}${listed}.`
  return details === undefined ? first : `${first} ${details}`
}

function fallback({ default: value }: OptionDefinition): string {
  return value === undefined ? '' : value.includes(' ') ? value : `\`${value}\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, head.map(() => '---'), ...rows]
  return cells.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}
