import { withoutPrototype } from '../../options/own-members.ts'
import { commands } from './command-table.ts'
import type { OptionDefinition } from './definition.ts'
import { filterOptions } from './filter-options.ts'
import { inputOptions } from './input-options.ts'
import { levelOptions } from './level-options.ts'
import { outputOptions } from './output-options.ts'
import { summaryOptions } from './summary-options.ts'
import { uiOptions } from './ui-options.ts'

const definitions: readonly OptionDefinition[] = [
  ...filterOptions,
  ...inputOptions,
  ...outputOptions,
  ...summaryOptions,
  ...levelOptions,
  ...uiOptions,
  {
    name: 'write',
    group: 'Changes',
    commands: ['codemod'],
    summary: 'change the files; without this option, changes are only listed',
  },
  {
    name: 'help',
    short: 'h',
    group: 'General',
    commands: commands.map(({ name }) => name),
    summary: 'show the help',
  },
  {
    name: 'version',
    short: 'V',
    group: 'General',
    commands: ['view'],
    summary: 'show the version',
  },
]

/**
 * All options. Parsing, the help, the man page, the shell completions and the reference page are derived from this table. An option that
 * several commands have is written in the same way in all of them.
 */
export const options: readonly OptionDefinition[] = definitions.map((definition) => withoutPrototype(definition))
