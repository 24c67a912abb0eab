import type { StandardLevel } from '../record/severity.ts'

/** The methods of console that print. */
export type ConsoleMethod =
  | 'log'
  | 'info'
  | 'debug'
  | 'dir'
  | 'dirxml'
  | 'table'
  | 'count'
  | 'group'
  | 'groupCollapsed'
  | 'timeLog'
  | 'timeEnd'
  | 'warn'
  | 'error'
  | 'trace'
  | 'assert'

/** The level of each method's records where nobody says another. */
export const defaultLevels: Readonly<Record<ConsoleMethod, StandardLevel>> = {
  log: 'info',
  info: 'info',
  debug: 'debug',
  dir: 'info',
  dirxml: 'info',
  table: 'info',
  count: 'info',
  group: 'info',
  groupCollapsed: 'info',
  timeLog: 'info',
  timeEnd: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'trace',
  assert: 'error',
}

export const printing: readonly ConsoleMethod[] = Object.keys(defaultLevels) as ConsoleMethod[]

/** Those that print nothing and change what the others do. */
export const silent = ['countReset', 'groupEnd', 'time'] as const

/** Through which other method each of these prints. */
export const within: Readonly<Partial<Record<ConsoleMethod, ConsoleMethod>>> = {
  table: 'log',
  count: 'log',
  group: 'log',
  groupCollapsed: 'log',
  timeLog: 'log',
  timeEnd: 'log',
  trace: 'error',
  assert: 'warn',
}
