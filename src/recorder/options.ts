import { checkOptions, integer, maxTimerMillis, text, type OptionSchema } from '../options/option-checks.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { levelName, unknownLevel } from '../record/level-names.ts'
import type { StandardLevel } from '../record/severity.ts'

/**
 * Options of the flight recorder, which holds records below the logger's level in memory, and writes those of a failed request, trace or
 * other key. `L` are the names of additional levels.
 */
export interface RecorderOptions<L extends string = never> {
  /**
   * The least severe level that is recorded.
   *
   * @defaultValue `debug`
   */
  readonly level?: L | StandardLevel
  /**
   * What the records that are released together have in common: the trace ID (`trace`), the request that `sluice/http` or one of its
   * adapters handles (`request`), or the value of the bound or context attribute of this name. Records without it are not recorded.
   *
   * @defaultValue `trace`
   */
  readonly by?: 'trace' | 'request' | (string & {})
  /**
   * The least severe level whose records release the held records of their key.
   *
   * @defaultValue `error`
   */
  readonly trigger?: L | StandardLevel
  /**
   * The maximum number of held records of one key. The oldest ones are discarded.
   *
   * @defaultValue 200
   */
  readonly maxRecords?: number
  /**
   * The maximum length of the held records of one key, in UTF-16 units, which are bytes in ASCII text. The oldest ones are discarded.
   *
   * @defaultValue 65,536
   */
  readonly maxBytes?: number
  /**
   * The maximum memory of the recorder in bytes. The records of the keys that were not used for the longest time are discarded.
   *
   * @defaultValue 16 MiB
   */
  readonly maxTotalBytes?: number
  /**
   * The maximum age of held records, in ms. A key other than a request ends when it has had no record for this time. An attribute is
   * recorded again when it has had no trigger for this time.
   *
   * @defaultValue 30,000
   */
  readonly maxAgeMillis?: number
}

/** The checked settings of a flight recorder. */
export interface RecorderSettings {
  /** The lowest severity that is recorded. */
  readonly threshold: number
  readonly by: string
  /** The lowest severity that releases the records of a key. */
  readonly triggerThreshold: number
  readonly maxRecords: number
  readonly maxLength: number
  readonly maxTotalBytes: number
  readonly maxAgeMillis: number
}

/** The levels of a logger. */
export interface RecorderLevels {
  readonly names: readonly string[]
  threshold(name: string): number | undefined
}

const mebibyte = 1024 * 1024
/** The least memory that a recorder needs to hold a few records. */
const minTotalBytes = 65_536
const defaultMaxBytes = 65_536

const schema: OptionSchema = {
  level: levelName,
  by: text(/./, "be 'trace', 'request' or the name of an attribute"),
  trigger: levelName,
  maxRecords: integer(1),
  maxBytes: integer(1),
  maxTotalBytes: integer(minTotalBytes),
  maxAgeMillis: integer(1, maxTimerMillis),
}

/**
 * Checks the options of a flight recorder. Errors are added to `problems`.
 *
 * @param value - the value of the option `recorder`
 */
export function checkRecorderOptions(
  value: RecorderOptions<string> | undefined,
  levels: RecorderLevels,
  problems: ConfigurationProblem[],
): RecorderSettings | undefined {
  if (value === undefined) return undefined
  const problemsBefore = problems.length
  checkOptions(value, schema, 'recorder', problems)
  if (problems.length > problemsBefore) return undefined
  const {
    level = 'debug',
    by = 'trace',
    trigger = 'error',
    maxRecords = 200,
    maxBytes,
    maxTotalBytes = 16 * mebibyte,
    maxAgeMillis = 30_000,
  } = value
  const threshold = severityOf(level, 'recorder.level', levels, problems)
  const triggerThreshold = severityOf(trigger, 'recorder.trigger', levels, problems)
  if (threshold === undefined || triggerThreshold === undefined) return undefined
  if (threshold >= triggerThreshold) {
    const message = `must be less severe than the trigger, ${trigger}; lower it, or raise trigger`
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'recorder.level', message })
  }
  if (maxBytes !== undefined && maxBytes > maxTotalBytes) {
    const message = `must not exceed maxTotalBytes, ${maxTotalBytes}; lower it, or raise maxTotalBytes`
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'recorder.maxBytes', message })
  }
  const maxLength = maxBytes ?? Math.min(defaultMaxBytes, maxTotalBytes)
  return { threshold, by, triggerThreshold, maxRecords, maxLength, maxTotalBytes, maxAgeMillis }
}

/** Returns the severity number of a level. Levels that are not known, and `silent`, are added to `problems`. */
function severityOf(
  name: string,
  path: string,
  levels: RecorderLevels,
  problems: ConfigurationProblem[],
): number | undefined {
  const severity = name === 'silent' ? undefined : levels.threshold(name)
  if (severity === undefined)
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message: unknownLevel(name, levels.names) })
  return severity
}
