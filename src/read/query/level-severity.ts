import { severityMaps } from '../../record/severity-maps.ts'
import { severityName, standardSeverities } from '../../record/severity.ts'

/** The severity numbers that one level of a query has. */
export interface SeverityInterval {
  readonly from: number
  readonly to: number
}

/** Names of levels that are the same as a standard level. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['warning', 'warn'],
  ['err', 'error'],
  ['information', 'info'],
])

const intervals: ReadonlyMap<string, SeverityInterval> = levelIntervals()

/** The names of levels whose order is known, in lowercase. */
export const knownLevels: readonly string[] = [...intervals.keys()]

/**
 * Returns the severity numbers of a level: all four numbers of the range of a standard level, and one number for other names. Returns
 * undefined for a custom level, whose order is unknown.
 */
export function severityInterval(level: string): SeverityInterval | undefined {
  return intervals.get(level.toLowerCase())
}

/** Returns the severity number of a record for comparisons: a record without one counts as `info`. */
export function effectiveSeverity(severityNumber: number): number {
  return severityNumber >= 1 ? severityNumber : standardSeverities.info
}

/** Returns the standard name of a level of a query in lowercase, such as `warn` for `WARNING`; another name is returned in lowercase. */
export function canonicalLevel(level: string): string {
  const name = level.toLowerCase()
  return synonyms.get(name) ?? name
}

function levelIntervals(): Map<string, SeverityInterval> {
  const result = new Map<string, SeverityInterval>()
  for (const [name, from] of Object.entries(standardSeverities)) result.set(name, { from, to: from + 3 })
  for (const [name, standard] of synonyms) result.set(name, result.get(standard)!)
  // `info2` is the name of the number 10.
  for (let severity = 1; severity <= 24; severity++) addNumber(result, severityName(severity), severity)
  for (const map of [severityMaps.syslog, severityMaps.winston])
    for (const [name, severity] of Object.entries(map)) addNumber(result, name, severity)
  addNumber(result, 'critical', severityMaps.syslog['crit']!)
  addNumber(result, 'emergency', severityMaps.syslog['emerg']!)
  return result
}

function addNumber(result: Map<string, SeverityInterval>, name: string, severity: number): void {
  if (!result.has(name)) result.set(name, { from: severity, to: severity })
}
