/**
 * A severity number of the OpenTelemetry data model: 1 to 24, or 0 for unspecified. Each named range holds four numbers:
 * TRACE 1-4, DEBUG 5-8, INFO 9-12, WARN 13-16, ERROR 17-20, FATAL 21-24.
 */
export type SeverityNumber =
  | 0
  | 1
  | 2
  | 3
  | 4
  | 5
  | 6
  | 7
  | 8
  | 9
  | 10
  | 11
  | 12
  | 13
  | 14
  | 15
  | 16
  | 17
  | 18
  | 19
  | 20
  | 21
  | 22
  | 23
  | 24

/** The six levels that every logger has, from the least to the most severe. */
export type StandardLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** The levels in order of severity; the index is `severityRange()` of their numbers. */
export const standardLevels: readonly StandardLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** The severity number of each standard level: the lowest of its range. */
export const standardSeverities: Readonly<Record<StandardLevel, SeverityNumber>> = {
  trace: 1,
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
}

/** The threshold of the level `silent`, which is above every severity number. */
export const silentThreshold = 25

/** Returns the index in `standardLevels` of a severity's range. 0 (unspecified) counts as info, a number above 24 as fatal. */
export function severityRange(severity: number): number {
  return severity < 1 ? 2 : severity > 24 ? 5 : (severity - 1) >> 2
}

/**
 * Returns the short name of a severity number, for a record without a level name: `info` for the first number of a range, `info2` to
 * `info4` for the others. 0 (unspecified) is named `info`, because it is handled as info.
 */
export function severityName(severity: number): string {
  const name = standardLevels[severityRange(severity)]!
  const offsetInRange = severity < 1 ? 0 : (severity - 1) & 3
  return offsetInRange === 0 ? name : name + (offsetInRange + 1)
}

/** Returns whether a word is the name of a standard level. */
export function isStandardLevel(word: string): word is StandardLevel {
  return Object.hasOwn(standardSeverities, word)
}
