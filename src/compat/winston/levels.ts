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

const npm = numbered('error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly')
const syslog = numbered('emerg', 'alert', 'crit', 'error', 'warning', 'notice', 'info', 'debug')
const cli = numbered('error', 'warn', 'help', 'data', 'info', 'debug', 'prompt', 'verbose', 'input', 'silly')

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

/** Severities of levels that cli has in addition to those of npm. Like their numbers, they are less severe than warn. */
const ofCli: SeverityMap = { help: 10, data: 10, prompt: 5, input: 5 }
const known: SeverityMap = {
  trace: 1,
  fatal: 21,
  ...ofCli,
  ...severityMaps.syslog,
  ...severityMaps.winston,
}
/** The first severity number of each range, from ERROR down. */
const ranges: readonly SeverityNumber[] = [17, 13, 9, 5, 1]

/**
 * Returns the severity number of a level: by its name, if the data model or `severityMaps` define it; otherwise by its position among the
 * levels of its logger, from ERROR for the most severe to TRACE for the least severe.
 */
export function severityOfLevel(level: string, levels: LevelNumbers): SeverityNumber {
  const named = severityIn(known, level)
  if (named !== 0) return named
  const own = levelNumber(levels, level)
  if (own === undefined) return 0
  const numbers = [...new Set(Object.values(levels))].toSorted((a, b) => a - b)
  const place = numbers.indexOf(own)
  return ranges[Math.round((place * (ranges.length - 1)) / Math.max(1, numbers.length - 1))] ?? 0
}

/** Returns the number of a level; undefined for an unknown level. */
export function levelNumber(levels: LevelNumbers, level: unknown): number | undefined {
  if (typeof level !== 'string' || !Object.hasOwn(levels, level)) return undefined
  const number: unknown = levels[level]
  return typeof number === 'number' ? number : undefined
}

function numbered<L extends string>(...names: readonly L[]): Readonly<Record<L, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<L, number>
}
