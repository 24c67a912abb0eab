import { severityRange, type SeverityNumber } from './severity.ts'

/** The severity numbers of another system's levels, by their names in lower case. */
export type SeverityMap = Readonly<Record<string, SeverityNumber>>

/** The levels of pino and bunyan, whose own numbers are 10 to 60 in steps of ten. */
const pinoLevels: SeverityMap = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 }

/**
 * The OpenTelemetry severity numbers of other systems' levels. They are those of appendix B of the logs data model if it lists
 * the system (syslog); otherwise the lowest number of the range that a name means, and the next numbers of that range, in order,
 * if a system has several levels in one range. Names of the same level have the same number.
 */
export const severityMaps: {
  readonly pino: SeverityMap
  readonly bunyan: SeverityMap
  /** winston's default levels, which are those of npm. */
  readonly winston: SeverityMap
  /** The levels of RFC 5424. winston's `config.syslog.levels` has the same names. */
  readonly syslog: SeverityMap
  /** The methods of `console`. */
  readonly console: SeverityMap
} = {
  pino: pinoLevels,
  bunyan: pinoLevels,
  winston: { silly: 1, debug: 5, verbose: 6, http: 7, info: 9, warn: 13, error: 17 },
  syslog: { debug: 5, info: 9, notice: 10, warning: 13, err: 17, error: 17, crit: 18, alert: 19, emerg: 21 },
  console: { trace: 1, debug: 5, dir: 5, log: 9, info: 9, table: 9, warn: 13, error: 17, assert: 17 },
}

/**
 * Returns the severity number of a numeric level of pino or bunyan. Their six levels, 10 to 60, are the first numbers of the six
 * ranges, and a level between two of them has a number between theirs. A level below 10 has the number 1, one above 60 a number
 * from 22 to 24. Returns 0 for a value that is not a positive number.
 */
export function severityOfPinoLevel(level: number): SeverityNumber {
  if (!(level > 0)) return 0
  const tens = Math.min(6, Math.floor(level / 10))
  if (tens === 0) return 1
  const remainder = level - tens * 10
  const offsetInRange = remainder === 0 ? 0 : 1 + Math.min(2, Math.floor((remainder / 10) * 3))
  return ((tens - 1) * 4 + 1 + offsetInRange) as SeverityNumber
}

/** Returns the number of a level's name in a map, ignoring case; 0 if there is no such name. */
export function severityIn(map: SeverityMap, name: string): SeverityNumber {
  const key = name.toLowerCase()
  return Object.hasOwn(map, key) ? map[key]! : 0
}

/**
 * Returns the level of a map that is closest to a severity number: the numerically closest one of the same range, otherwise the
 * closest of all. 0 (unspecified) has the range of INFO. Returns undefined for an empty map.
 */
export function levelIn(map: SeverityMap, severity: SeverityNumber): string | undefined {
  let closestName: string | undefined
  let leastDistance = Infinity
  for (const [name, number] of Object.entries(map)) {
    // Levels of other ranges are farther than every level of the same range.
    const penalty = severityRange(number) === severityRange(severity) ? 0 : 100
    const distance = Math.abs(number - severity) + penalty
    if (distance >= leastDistance) continue
    leastDistance = distance
    closestName = name
  }
  return closestName
}
