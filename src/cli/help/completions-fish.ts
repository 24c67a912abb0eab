import { commandOf, commands, commandWords } from '../options/command-table.ts'
import type { CommandName, OptionDefinition } from '../options/definition.ts'
import { options } from '../options/option-table.ts'
import { isList, valuesOf } from './option-text.ts'

/** Returns the completion script for fish. */
export function fishCompletions(): string {
  const lines = [
    '# Completions of sluice for fish: sluice completions fish | source',
    'function __sluice_command',
    '    set -l words (commandline -opc)',
    `    if test (count $words) -gt 1; and contains -- $words[2] ${commandWords.join(' ')}`,
    '        echo $words[2]',
    '    else',
    '        echo view',
    '    end',
    'end',
    'function __sluice_uses',
    '    contains -- (__sluice_command) $argv',
    'end',
    'function __sluice_is_first',
    '    test (count (commandline -opc)) -eq $argv[1]',
    'end',
    'complete -c sluice -e',
    ...commands
      .filter(({ name }) => name !== 'view')
      .map(({ name, summary }) => `complete -c sluice -n '__sluice_is_first 1' -a ${name} -d ${quoted(summary)}`),
    `complete -c sluice -n '__sluice_uses codemod; and __sluice_is_first 2' -f -a pino`,
    ...(['completions', 'help'] as const).map(operandLine),
    ...options.map(optionLine),
  ]
  return `${lines.join('\n')}\n`
}

function operandLine(name: CommandName): string {
  const words = commandOf(name).completes
  return `complete -c sluice -n '__sluice_uses ${name}' -f -a ${quoted(typeof words === 'object' ? words.join(' ') : '')}`
}

function optionLine(option: OptionDefinition): string {
  const { name, short, summary, value, commands: owners } = option
  const parts = [`complete -c sluice -n '__sluice_uses ${owners.join(' ')}'`, `-l ${name}`]
  if (short !== undefined) parts.push(`-s ${short}`)
  const words = valuesOf(option).join(' ')
  const completed = isList(option) ? `(__fish_append , ${words})` : words
  if (value !== undefined) parts.push(words === '' ? '-x' : `-x -a ${quoted(completed)}`)
  return [...parts, `-d ${quoted(summary)}`].join(' ')
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
