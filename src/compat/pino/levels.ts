import { severityOfPinoLevel } from '../../record/severity-maps.ts'
import { addMembers, define, setMember } from '../../options/define-member.ts'
import { optionError } from '../shared/option-error.ts'

/** Level names by number, and level numbers by name. */
export interface LevelMapping {
  /** Level numbers by name. `silent` is included as Infinity, but not enumerable. */
  values: { [level: string]: number }
  /** Level names by number. */
  labels: { [level: number]: string }
}

/** The numbers of pino's levels by name. */
export const standardLevels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

export type StandardLevel = keyof typeof standardLevels

/** Returns whether a logger logs a record of this level. */
export type LevelComparison = (recordLevel: number, loggerLevel: number) => boolean

type CustomLevels = Readonly<Record<string, number>> | null | undefined

/** Returns the levels of a logger. `silent` is included, but not enumerable. */
export function createLevelMapping(customLevels?: CustomLevels, onlyCustom = false): LevelMapping {
  const values: Record<string, number> = {}
  define(values, 'silent', { value: Infinity })
  addMembers(values, onlyCustom ? null : standardLevels, customLevels)
  const labels: Record<number, string> = {}
  define(labels, 'Infinity', { value: 'silent' })
  for (const [label, value] of Object.entries(values)) setMember(labels, value, label)
  return { labels, values }
}

/** Returns the number of a level by its name. */
export function levelNumber({ values }: LevelMapping, label: string): number | undefined {
  return Object.hasOwn(values, label) ? values[label] : undefined
}

/** Returns the name of a level by its number. */
export function levelLabel({ labels }: LevelMapping, value: number): string | undefined {
  return Object.hasOwn(labels, value) ? labels[value] : undefined
}

export function isStandardLevel(level: string): level is StandardLevel {
  return Object.hasOwn(standardLevels, level)
}

/** Returns the name of a standard level, which may be written in any case, in lower case. Returns other levels and numbers unchanged. */
export function canonicalLevel(level: string | number): string | number {
  if (typeof level !== 'string') return level
  const name = level.toLowerCase()
  return isStandardLevel(name) ? name : level
}

/** Throws if the option `level` is not one of the logger's levels. */
export function checkDefaultLevel(level: string | number, customLevels: CustomLevels, onlyCustom: boolean): void {
  const { values } = createLevelMapping(customLevels, onlyCustom)
  const isKnown =
    typeof level === 'number' ? [...Object.values(values), Infinity].includes(level) : Object.hasOwn(values, level)
  if (!isKnown) throw optionError('level', `default level:${level} must be included in custom levels`)
}

/** Throws if a child's custom levels reuse existing names or numbers. */
export function checkCollisions({ labels, values }: LevelMapping, customLevels: CustomLevels): void {
  for (const [label, value] of Object.entries(customLevels ?? {})) {
    if (Object.hasOwn(values, label)) throw optionError('customLevels', 'levels cannot be overridden')
    if (Object.hasOwn(labels, value))
      throw optionError('customLevels', 'pre-existing level values cannot be used for new levels')
  }
}

/** Returns the OpenTelemetry severity number (1 to 24) of a level: 10 is TRACE (1), 20 DEBUG (5), 30 INFO (9), and so on. */
export function severityOf(level: number): number {
  return severityOfPinoLevel(level) || 1 // a level of at most 0 has no severity, and is treated as the lowest one
}

/** Returns the function for the option `levelComparison`. */
export function resolveLevelComparison(option: unknown): LevelComparison {
  if (typeof option === 'function') return option as LevelComparison
  if (option === 'ASC') return (recordLevel, loggerLevel) => recordLevel >= loggerLevel
  if (option === 'DESC') return (recordLevel, loggerLevel) => recordLevel <= loggerLevel
  throw optionError('levelComparison', 'Levels comparison should be one of "ASC", "DESC" or "function" type')
}

/** A standard level. */
export type Level = StandardLevel

/** A standard level or a custom level. */
export type LevelOrString = Level | (string & {})

/** A standard level, or `silent` to disable logging. */
export type LevelWithSilent = Level | 'silent'

/** A standard level, a custom level, or `silent` to disable logging. */
export type LevelWithSilentOrString = LevelWithSilent | (string & {})
