import { severityMaps, severityIn, type SeverityMap } from '../../record/severity-maps.ts'
import type { SeverityNumber } from '../../record/severity.ts'

/** Levels by name. Lower numbers are more severe. */
export type LevelNumbers = Readonly<Record<string, number>>

/** Levels, and the colors with which `format.colorize()` displays them. */
export interface LevelConfig<L extends string = string> {
  /** Levels by name. Lower numbers are more severe. */
  readonly levels: Readonly<Record<L, number>>
  /** Names of colors and styles by level. */
  readonly colors: Readonly<Record<string, string | readonly string[]>>
}

const npm = numberLevels('error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly')
const syslog = numberLevels('emerg', 'alert', 'crit', 'error', 'warning', 'notice', 'info', 'debug')
const cli = numberLevels('error', 'warn', 'help', 'data', 'info', 'debug', 'prompt', 'verbose', 'input', 'silly')

/** The predefined sets of levels of winston. */
export interface LevelConfigs {
  /** From `error` (0) to `silly` (6). These are the default levels of a logger. */
  readonly npm: LevelConfig<'error' | 'warn' | 'info' | 'http' | 'verbose' | 'debug' | 'silly'>
  /** From `emerg` (0) to `debug` (7), numbered as in RFC 5424. */
  readonly syslog: LevelConfig<'emerg' | 'alert' | 'crit' | 'error' | 'warning' | 'notice' | 'info' | 'debug'>
  /** From `error` (0) to `silly` (9). */
  readonly cli: LevelConfig<
    'error' | 'warn' | 'help' | 'data' | 'info' | 'debug' | 'prompt' | 'verbose' | 'input' | 'silly'
  >
}

/** The predefined sets of levels of winston. */
export const levelConfigs: LevelConfigs = {
  npm: {
    levels: npm,
    colors: {
      error: 'red',
      warn: 'yellow',
      info: 'green',
      http: 'green',
      verbose: 'cyan',
      debug: 'blue',
      silly: 'magenta',
    },
  },
  syslog: {
    levels: syslog,
    colors: {
      emerg: 'red',
      alert: 'yellow',
      crit: 'red',
      error: 'red',
      warning: 'red',
      notice: 'yellow',
      info: 'green',
      debug: 'blue',
    },
  },
  cli: {
    levels: cli,
    colors: {
      error: 'red',
      warn: 'yellow',
      help: 'cyan',
      data: 'grey',
      info: 'green',
      debug: 'blue',
      prompt: 'grey',
      verbose: 'cyan',
      input: 'grey',
      silly: 'magenta',
    },
  },
}

/** Severities of levels that `cli` has in addition to those of `npm`. */
const cliSeverities: SeverityMap = { help: 10, data: 10, prompt: 5, input: 5 }
/** Severities of the known level names. */
const severities: SeverityMap = {
  trace: 1,
  fatal: 21,
  ...cliSeverities,
  ...severityMaps.syslog,
  ...severityMaps.winston,
}
/** The first severity number of each range in OpenTelemetry's data model: ERROR, WARN, INFO, DEBUG and TRACE. */
const rangeStarts: readonly SeverityNumber[] = [17, 13, 9, 5, 1]

/**
 * Returns the severity number of a level: by its name, if it is a known one; otherwise by its position among the levels of its logger,
 * from ERROR for the most severe to TRACE for the least severe; 0 if the logger does not have the level.
 */
export function severityOfLevel(level: string, levels: LevelNumbers): SeverityNumber {
  const knownSeverity = severityIn(severities, level)
  if (knownSeverity !== 0) return knownSeverity
  const number = levelNumber(levels, level)
  if (number === undefined) return 0
  const numbers = [...new Set(Object.values(levels))].toSorted((a, b) => a - b)
  const position = numbers.indexOf(number)
  return rangeStarts[Math.round((position * (rangeStarts.length - 1)) / Math.max(1, numbers.length - 1))] ?? 0
}

/** Returns the number of a level; undefined for an unknown level. */
export function levelNumber(levels: LevelNumbers, level: unknown): number | undefined {
  if (typeof level !== 'string' || !Object.hasOwn(levels, level)) return undefined
  const number: unknown = levels[level]
  return typeof number === 'number' ? number : undefined
}

/** Returns levels with the numbers 0, 1, 2 and so on. */
function numberLevels<L extends string>(...names: readonly L[]): Readonly<Record<L, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<L, number>
}
