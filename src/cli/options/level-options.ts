import type { OptionDefinition } from './definition.ts'

/** The options of `sluice level`. */
export const levelOptions: readonly OptionDefinition[] = [
  {
    name: 'url',
    value: 'URL',
    default: '$SLUICE_LEVEL_URL',
    group: 'Level',
    commands: ['level'],
    summary: 'the address of the levels handler of the process',
  },
  {
    name: 'for',
    value: 'DURATION',
    suggestions: ['1m', '10m', '1h'],
    default: '10m',
    group: 'Level',
    commands: ['level'],
    summary: 'revert the change after this time: 30s, 10m, 1h30m, at most 24h',
  },
  {
    name: 'forever',
    group: 'Level',
    commands: ['level'],
    summary: 'keep the change until it is reverted or the process ends',
  },
  {
    name: 'revert',
    value: 'ID',
    suggestions: ['all'],
    group: 'Level',
    commands: ['level'],
    summary: 'revert the change with this ID, or all changes that were sent over HTTP: all',
  },
  {
    name: 'token-file',
    value: 'FILE',
    default: 'the token in $SLUICE_LEVEL_TOKEN',
    group: 'Level',
    commands: ['level'],
    summary: 'read the token from this file',
  },
]
