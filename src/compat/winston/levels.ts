import { severityMaps, severityIn, type SeverityMap } from '../../record/severity-maps.ts'
import type { SeverityNumber } from '../../record/severity.ts'

/** Levels by name: the lower the number, the more severe. */
export type LevelNumbers = Readonly<Record<string, number>>

/** Levels, and the names of the colors in which `format.colorize()` shows them. */
export interface LevelConfig<L extends string = string> {
  /** Levels by name: the lower the number, the more severe. */
  readonly levels: Readonly<Record<L, number>>
  /** Names of colors and styles by level. */
  readonly colors: Readonly<Record<string, string | readonly string[]>>
}

const npm = numbered('error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly')
const syslog = numbered('emerg', 'alert', 'crit', 'error', 'warning', 'notice', 'info', 'debug')
const cli = numbered('error', 'warn', 'help', 'data', 'info', 'debug', 'prompt', 'verbose', 'input', 'silly')

/** Whose levels winston comes with. */
export interface LevelConfigs {
  /** From `error` (0) to `silly` (6): the levels of a logger that is given none. */
  readonly npm: LevelConfig<'error' | 'warn' | 'info' | 'http' | 'verbose' | 'debug' | 'silly'>
  /** From `emerg` (0) to `debug` (7), as RFC 5424 numbers them. */
  readonly syslog: LevelConfig<'emerg' | 'alert' | 'crit' | 'error' | 'warning' | 'notice' | 'info' | 'debug'>
  /** From `error` (0) to `silly` (9). */
  readonly cli: LevelConfig<
    'error' | 'warn' | 'help' | 'data' | 'info' | 'debug' | 'prompt' | 'verbose' | 'input' | 'silly'
  >
}

/** The levels that winston comes with. */
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

/** What cli has beside the levels of npm: less severe than warn, as its numbers have it. */
const ofCli: SeverityMap = { help: 10, data: 10, prompt: 5, input: 5 }
const known: SeverityMap = {
  trace: 1,
  fatal: 21,
  ...ofCli,
  ...severityMaps.syslog,
  ...severityMaps.winston,
}
/** The first numbers of the ranges, from ERROR down. */
const ranges: readonly SeverityNumber[] = [17, 13, 9, 5, 1]

/**
 * The severity number of a level: by its name where the data model or severityMaps know that, else by its place among the levels
 * of its logger, the most severe being ERROR and the least TRACE.
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

/** The number of a level; undefined where there is no such level. */
export function levelNumber(levels: LevelNumbers, level: unknown): number | undefined {
  if (typeof level !== 'string' || !Object.hasOwn(levels, level)) return undefined
  const number: unknown = levels[level]
  return typeof number === 'number' ? number : undefined
}

function numbered<L extends string>(...names: readonly L[]): Readonly<Record<L, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<L, number>
}
