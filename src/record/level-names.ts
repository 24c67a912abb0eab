import type { ForeignNames } from '../options/foreign-names.ts'
import { typeName, unknownNameMessage, type Check } from '../options/option-checks.ts'

/**
 * The names of levels in other systems (OpenTelemetry logs data model, appendix B, and the levels of npm and syslog). Each maps
 * to the level of its severity range, so that a threshold never hides more than intended.
 */
const levelSynonyms: ReadonlyMap<string, string> = new Map([
  ['all', 'trace'],
  ['silly', 'trace'],
  ['verbose', 'debug'],
  ['http', 'debug'],
  ['informational', 'info'],
  ['information', 'info'],
  ['log', 'info'],
  ['notice', 'info'],
  ['warning', 'warn'],
  ['err', 'error'],
  ['severe', 'error'],
  ['crit', 'error'],
  ['critical', 'error'],
  ['alert', 'error'],
  ['emerg', 'fatal'],
  ['emergency', 'fatal'],
  ['panic', 'fatal'],
  ['off', 'silent'],
  ['none', 'silent'],
])

/** Returns the standard level, or `silent`, for the name of a level in another system. Case and surrounding spaces are ignored. */
export function levelSynonym(name: string): string | undefined {
  return levelSynonyms.get(name.trim().toLowerCase())
}

/** Returns a lookup of the levels of other systems that finds only levels in `known`. */
export function levelSynonymsIn(known: readonly string[]): ForeignNames {
  return (name) => {
    const synonym = levelSynonym(name)
    return synonym !== undefined && known.includes(synonym) ? synonym : undefined
  }
}

/**
 * Returns the text of a problem with a level that is not known, with the level that was probably meant.
 *
 * @param known - the names of the logger's levels, with `silent`
 */
export function unknownLevel(level: unknown, known: readonly string[]): string {
  return unknownNameMessage('level', level, known, levelSynonymsIn(known))
}

/** The levels for the numbers of pino and bunyan. */
const levelsOfNumbers: ReadonlyMap<unknown, string> = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
])

/** Checks for a string, which is the name of a level. Whether there is such a level is checked where the levels are known. */
export const levelName: Check = (value, where, problems) => {
  if (typeof value === 'string') return
  const message = `must be the name of a level, not ${typeName(value)}; write '${levelsOfNumbers.get(value) ?? 'info'}'`
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
}
