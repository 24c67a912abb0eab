import type { StandardLevel } from '../record/severity.ts'

/** The methods of a console that print. */
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

/** Default level of the records of each method. */
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

/** The names of all methods that print. */
export const printingMethods: readonly ConsoleMethod[] = Object.keys(defaultLevels) as ConsoleMethod[]

/** Methods that print nothing, but change what the others print. */
export const silentMethods = ['countReset', 'groupEnd', 'time'] as const

/** The method through which each of these methods prints. */
export const underlyingMethods: Readonly<Partial<Record<ConsoleMethod, ConsoleMethod>>> = {
  table: 'log',
  count: 'log',
  group: 'log',
  groupCollapsed: 'log',
  timeLog: 'log',
  timeEnd: 'log',
  trace: 'error',
  assert: 'warn',
}
