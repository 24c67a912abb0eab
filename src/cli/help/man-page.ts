import { sdkVersion } from '../../record/sdk-version.ts'
import { commands } from '../options/command-table.ts'
import type { CommandDefinition, OptionDefinition } from '../options/definition.ts'
import { environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { optionSections, optionSummary, optionWords, usageLine } from './option-text.ts'

/** Returns the manual page of `sluice` in the language of `man`. */
export function manPage(): string {
  const lines = [
    `.TH SLUICE 1 "" "sluice ${sdkVersion}" "User Commands"`,
    '.SH NAME',
    'sluice \\- read, follow, search and summarize log files',
    '.SH SYNOPSIS',
    ...commands.flatMap((command, index) => [...(index === 0 ? [] : ['.br']), synopsis(command)]),
    '.SH DESCRIPTION',
    // A paragraph directly after a heading needs no macro.
    ...commands[0]!.details.flatMap(paragraph).slice(1),
    ...commands.flatMap(commandPart),
    '.SH EXAMPLES',
    ...commands.flatMap(({ examples }) =>
      examples.flatMap(({ command, comment }) => ['.TP', `\\fB${marked(command)}\\fR`, marked(comment)]),
    ),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(({ code, meaning }) => ['.TP', `.B ${code}`, marked(meaning)]),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, marked(meaning)]),
    '.SH SEE ALSO',
    'less(1), grep(1), tail(1), jq(1)',
  ]
  return `${lines.join('\n')}\n`
}

function synopsis(command: CommandDefinition): string {
  return usageLine(command)
    .split(' ')
    .map((word) => (/^[a-z]+$/.test(word) ? `\\fB${word}\\fR` : marked(word)))
    .join(' ')
}

function commandPart(command: CommandDefinition): string[] {
  const { name, details } = command
  const heading = name === 'view' ? '.SH OPTIONS' : `.SH ${name.toUpperCase()}`
  const body = name === 'view' ? [] : [synopsis(command), ...details.flatMap(paragraph)]
  const options: string[] = []
  for (const { group, options: ofGroup } of optionSections(name)) {
    if (name === 'view') options.push(`.SS ${group} options`)
    options.push(...ofGroup.flatMap(optionPart))
  }
  return [heading, ...body, ...options]
}

function optionPart(option: OptionDefinition): string[] {
  const value = option.value === undefined ? '' : ` \\fI${marked(option.value)}\\fR`
  const forms = optionWords(option).map((word) => `\\fB${marked(word)}\\fR`)
  const summary = optionSummary(option)
  const text = [
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...(option.details === undefined ? [] : [option.details]),
  ]
  return ['.TP', forms.join(', ') + value, ...text.map(marked)]
}

function paragraph(text: string): string[] {
  return ['.PP', marked(text)]
}

/** Returns Markdown as text for `man`: special characters are escaped, and code is bold. */
function marked(markdown: string): string {
  return markdown
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll("'", '\\(aq')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replace(/`([^`]+)`/g, '\\fB$1\\fR')
    .replace(/^\./, '\\&.')
}
