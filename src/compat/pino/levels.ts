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

export const standardLevels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

export type StandardLevel = keyof typeof standardLevels

/** Returns whether a record of level `current` is logged by a logger of level `expected`. */
export type LevelComparison = (current: number, expected: number) => boolean

type CustomLevels = Readonly<Record<string, number>> | null | undefined

/** Returns the levels of a logger. `silent` is included, but not enumerable. */
export function mappings(customLevels?: CustomLevels, onlyCustom = false): LevelMapping {
  const values: Record<string, number> = {}
  define(values, 'silent', { value: Infinity })
  addMembers(values, onlyCustom ? null : standardLevels, customLevels)
  const labels: Record<number, string> = {}
  define(labels, 'Infinity', { value: 'silent' })
  for (const [label, value] of Object.entries(values)) setMember(labels, value, label)
  return { labels, values }
}

/** Returns the number of a level by its name. */
export function valueOf({ values }: LevelMapping, label: string): number | undefined {
  return Object.hasOwn(values, label) ? values[label] : undefined
}

/** Returns the name of a level by its number. */
export function labelOf({ labels }: LevelMapping, value: number): string | undefined {
  return Object.hasOwn(labels, value) ? labels[value] : undefined
}

export function isStandardLevel(level: string): level is StandardLevel {
  return Object.hasOwn(standardLevels, level)
}

/** Returns the canonical name of a level: standard levels may be written in upper case. */
export function levelName(level: string | number): string | number {
  if (typeof level !== 'string') return level
  const name = level.toLowerCase()
  return isStandardLevel(name) ? name : level
}

export function checkDefaultLevel(level: string | number, customLevels: CustomLevels, onlyCustom: boolean): void {
  const { values } = mappings(customLevels, onlyCustom)
  const known =
    typeof level === 'number' ? [...Object.values(values), Infinity].includes(level) : Object.hasOwn(values, level)
  if (!known) throw optionError('level', `default level:${level} must be included in custom levels`)
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
  return severityOfPinoLevel(level) || 1
}

export function comparison(given: unknown): LevelComparison {
  if (typeof given === 'function') return given as LevelComparison
  if (given === 'ASC') return (current, expected) => current >= expected
  if (given === 'DESC') return (current, expected) => current <= expected
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
