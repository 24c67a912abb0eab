import { isStandardLevel, standardSeverities } from '../../record/severity.ts'
import { levelOf } from '../formats/levels.ts'

/** The severity numbers that one level of a query has. */
export interface SeverityInterval {
  readonly from: number
  readonly to: number
}

/** The names of levels that are suggested for a misspelled one. */
export const suggestedLevels: readonly string[] = [
  ...Object.keys(standardSeverities),
  'warning',
  'verbose',
  'notice',
  'critical',
  'alert',
  'emergency',
]

/**
 * Returns the severity numbers of a level: all four numbers of the range of a standard level, and one number for other names. Returns
 * undefined for a custom level, whose order is unknown.
 */
export function severityInterval(level: string): SeverityInterval | undefined {
  const { name, severityNumber: from } = levelOf(level, 'names')
  return from === 0 ? undefined : { from, to: isStandardLevel(name) ? from + 3 : from }
}

/** Returns the severity number of a record for comparisons: a record without one counts as `info`. */
export function effectiveSeverity(severityNumber: number): number {
  return severityNumber >= 1 ? severityNumber : standardSeverities.info
}

/** Returns the usual name of a level of a query, such as `warn` for `WARNING`; another name is returned in lowercase. */
export function canonicalLevel(level: string): string {
  return levelOf(level, 'names').name
}
