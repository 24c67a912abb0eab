import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { foreignReadLogsOptionNames } from '../options/foreign-read-names.ts'
import {
  callback,
  checkOptions,
  choice,
  either,
  flag,
  functionLike,
  integer,
  objectLike,
  text,
  typeName,
  unknownNameMessage,
  type Check,
  type OptionSchema,
} from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import { mappableFields } from './formats/json.ts'
import type { NeededRecords } from './lines/line-filter.ts'
import type { RecordPredicate } from './query/compile-query.ts'
import { formatNames } from './query/format-names.ts'
import { effectiveSeverity, suggestedLevels, severityInterval } from './query/level-severity.ts'
import { parseQuery } from './query/parse-query.ts'
import { requiredText } from './query/required-text.ts'
import { hasTimeLimit } from './query/select-records.ts'
import type { ReadLogsOptions, ReadTime } from './read-logs-options.ts'
import { recordSelector } from './record-selector.ts'
import { isTextLine } from './text-line-record.ts'
import type { ReadRecord } from './record.ts'
import { parseTimeText, timeTextForms } from './time/time-text.ts'

/** The validated options of `readLogs`. */
export interface ReadLogsSettings {
  readonly input: ReadLogsOptions['input'] | undefined
  readonly onError: ReadLogsOptions['onError'] | undefined
  readonly signal: AbortSignal | undefined
  readonly tail: number | undefined
  /** Whether a record passes all options except `traceOf` and `where`, if that is in `slowQuery`. */
  readonly accepts: (record: ReadRecord) => boolean
  /** The option `where`, if it has regular expressions, which `selectRecords` tests for many records at once. */
  readonly slowQuery: RecordPredicate | undefined
  readonly traceOf: RecordPredicate | undefined
  readonly fieldNames: ReadonlyMap<string, string> | undefined
  /** What is known about the bytes of the lines of selected records; undefined if nothing is known. */
  readonly needed: NeededRecords | undefined
  readonly isSorted: boolean
  readonly isFollowed: boolean
}

/**
 * Validates the options of `readLogs`.
 *
 * @throws ConfigurationError that lists all problems, or QueryError for a query with invalid syntax.
 */
export function readLogsSettings(given: ReadLogsOptions): ReadLogsSettings {
  const problems: ConfigurationProblem[] = []
  const options = copyOptions(given, '', problems, ['map'])
  checkOptions(options, schema, '', problems, foreignReadLogsOptionNames)
  if (problems.length === 0) addConflicts(options, problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'readLogs')
  const { map, where, traceOf, input, tail, onError, signal } = options
  const selects = where === undefined ? undefined : recordSelector(where, 'where')
  const isSlow = selects !== undefined && hasTimeLimit(selects)
  return {
    input,
    onError,
    signal,
    tail,
    accepts: allOf(testsOf(options, isSlow ? undefined : selects)),
    slowQuery: isSlow ? selects : undefined,
    traceOf: traceOf === undefined ? undefined : recordSelector(traceOf, 'traceOf'),
    fieldNames: map === undefined ? undefined : new Map(Object.entries(map).filter(([, key]) => key !== undefined)),
    needed: neededRecords(options),
    isSorted: options.sort ?? false,
    isFollowed: options.follow ?? false,
  }
}

function testsOf(options: ReadLogsOptions, selects: RecordPredicate | undefined): RecordPredicate[] {
  const tests: RecordPredicate[] = []
  const { level, since, until } = options
  if (options.text !== true) tests.push((record) => !isTextLine(record))
  if (level !== undefined) {
    const minimum = minSeverity(level)
    tests.push(({ severityNumber }) => effectiveSeverity(severityNumber) >= minimum)
  }
  const start = since === undefined ? undefined : timeOf(since)
  const end = until === undefined ? undefined : timeOf(until)
  if (start !== undefined) tests.push(({ time }) => time !== undefined && time >= start)
  if (end !== undefined) tests.push(({ time }) => time !== undefined && time < end)
  // Last, so that a function of the caller is called for as few records as possible.
  if (selects !== undefined) tests.push(selects)
  return tests
}

function minSeverity(level: string | number): number {
  return typeof level === 'number' ? level : severityInterval(level)!.from
}

function neededRecords({ level, where }: ReadLogsOptions): NeededRecords | undefined {
  const texts = typeof where === 'string' ? requiredText(parseQuery(where)) : undefined
  if (level === undefined && texts === undefined) return undefined
  return {
    minSeverity: level === undefined ? undefined : minSeverity(level),
    texts: texts === undefined ? undefined : [texts],
  }
}

function allOf(tests: readonly RecordPredicate[]): RecordPredicate {
  const [first, ...others] = tests
  if (first === undefined) return () => true
  return others.length === 0 ? first : (record) => tests.every((test) => test(record))
}

function timeOf(time: ReadTime): number | undefined {
  return typeof time === 'string' ? parseTimeText(time) : Number(time)
}

const selectionCheck: Check = either(
  "a query, such as 'level>=warn', or a function that returns whether a record is selected",
  text(),
  callback,
)

const levelCheck: Check = (value, where, problems) => {
  if (typeof value === 'number') return integer(1, 24)(value, where, problems)
  if (typeof value === 'string' && severityInterval(value) !== undefined) return
  if (typeof value === 'string') {
    problems.push({
      code: 'SLUICE_LEVEL_UNKNOWN',
      path: where,
      message: unknownNameMessage('level', value, suggestedLevels),
    })
  } else {
    const message = `must be the name of a level or a severity number, not ${typeName(value)}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
  }
}

const timeCheck: Check = (value, where, problems) => {
  const isTime = typeof value === 'string' || typeof value === 'number' || value instanceof Date
  if (isTime && Number.isFinite(timeOf(value))) return
  problems.push({
    code: isTime ? 'SLUICE_OPTION_RANGE' : 'SLUICE_OPTION_TYPE',
    path: where,
    message: `must be a Date, milliseconds since 1970 or a time such as ${timeTextForms}`,
  })
}

const mapSchema: OptionSchema = Object.fromEntries(mappableFields.map((name) => [name, text(/./, 'not be empty')]))

const signalCheck: Check = (value, where, problems) => {
  if (value instanceof AbortSignal) return
  const message = `must be an AbortSignal, not ${typeName(value)}`
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
}

const schema: OptionSchema = {
  where: selectionCheck,
  level: levelCheck,
  since: timeCheck,
  until: timeCheck,
  traceOf: selectionCheck,
  input: choice(formatNames),
  map: (value, where, problems) => {
    objectLike("{ level: 'severity' }")(value, where, problems)
    checkOptions(value, mapSchema, where, problems)
  },
  sort: flag,
  follow: flag,
  tail: integer(0, Number.MAX_SAFE_INTEGER),
  text: flag,
  onError: functionLike('(error) => {}'),
  signal: signalCheck,
}

function addConflicts({ sort, follow, tail, traceOf }: ReadLogsOptions, problems: ConfigurationProblem[]): void {
  const conflict = (path: string, other: string, reason: string) =>
    problems.push({
      code: 'SLUICE_OPTION_CONFLICT',
      path,
      message: `cannot be used with ${other}, because ${reason}`,
    })
  if (follow === true && sort === true) conflict('follow', 'sort', 'the end of the files is required to sort them')
  if (follow === true && traceOf !== undefined) conflict('follow', 'traceOf', 'the files are read twice')
  if (tail !== undefined && sort === true) conflict('tail', 'sort', 'all records are sorted')
  if (tail !== undefined && traceOf !== undefined) conflict('tail', 'traceOf', 'all records are searched')
}
