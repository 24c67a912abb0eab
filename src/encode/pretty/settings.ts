import {
  choice,
  either,
  flag,
  integer,
  list,
  table,
  text,
  type Check,
  type OptionSchema,
} from '../../options/option-checks.ts'
import { quote } from '../json/quote.ts'
import { isTimeZone, type TimeFormat } from './time.ts'

/** Options of the format `pretty`. */
export interface PrettyOptions {
  /**
   * How the time of a record is shown: the time of day in the local time zone (`local`), in UTC (`utc`) or in an IANA time zone such
   * as `Europe/Berlin`; `iso` with the date, in UTC; `relative` to the first record, in seconds.
   *
   * @defaultValue `local`
   */
  readonly time?: 'local' | 'utc' | 'iso' | 'relative' | (string & {})
  /**
   * Whether values that do not fit the width are shown on further lines. With `false`, a record has one line, however long, and only
   * the stack of an exception follows it.
   *
   * @defaultValue `true`
   */
  readonly multiline?: boolean
  /**
   * The names of attributes that are not shown. A `*` at the end of a name matches any text: `http.request.header.*`.
   *
   * @defaultValue none
   */
  readonly hide?: readonly string[]
  /**
   * The names of the only attributes that are shown, also if the message contains them or if they are details of a request. Their
   * values are not shortened. `['*']` shows all attributes.
   *
   * @defaultValue all attributes, except those that the message contains and details of requests such as `user_agent.original`
   */
  readonly only?: readonly string[]
  /**
   * The labels of levels, by the name of the level: `{ info: 'ℹ', warn: '⚠' }`.
   *
   * @defaultValue the name in uppercase
   */
  readonly levelLabels?: Readonly<Record<string, string>>
  /**
   * The maximum number of stack frames of each error. `own` shows all frames of the program and counts those of Node and of
   * `node_modules`.
   *
   * @defaultValue all frames, in at most 1,000 lines for each stack
   */
  readonly errorFrames?: number | 'own'
  /**
   * The width of a line in columns, at least 40.
   *
   * @defaultValue the current width of the terminal; 80 if the destination is not a terminal, and in worker threads
   */
  readonly width?: number
  /**
   * Whether the text is colored.
   *
   * @defaultValue whether the destination is a terminal with colors, and the environment variables NO_COLOR and FORCE_COLOR; `false`
   *   for an encoding of a custom exporter
   */
  readonly colors?: boolean
}

/** The minimum width of a line, in columns. */
export const minWidth = 40

const timeFormat: Check = (value, where, problems) => {
  if (typeof value === 'string' && ['local', 'utc', 'iso', 'relative'].includes(value)) return
  if (typeof value === 'string' && isTimeZone(value)) return
  const message = "must be 'local', 'utc', 'iso', 'relative' or an IANA time zone such as 'Europe/Berlin'"
  problems.push({
    code: typeof value === 'string' ? 'SLUICE_OPTION_RANGE' : 'SLUICE_OPTION_TYPE',
    path: where,
    message,
  })
}

const name = text(/^[^*]*\*?$/, "be a name, with '*' only at its end")

/** The checks of `PrettyOptions`. */
export const prettySchema: OptionSchema = {
  time: timeFormat,
  multiline: flag,
  hide: list(name),
  only: list(name),
  levelLabels: table(text()),
  errorFrames: either("an integer of 0 or more, or 'own'", integer(0), choice(['own'])),
  width: integer(minWidth),
  colors: flag,
}

/** The options that are objects, which are copied with the options. */
export const nestedPrettyOptions: readonly string[] = ['levelLabels']

/** The options with their defaults. */
export interface PrettySettings {
  /** Identifies the settings. */
  readonly key: string
  readonly time: TimeFormat
  readonly isMultiline: boolean
  readonly hidden: NameMatcher
  /** The only attributes that are shown; undefined to show all. */
  readonly onlyShown: NameMatcher | undefined
  readonly levelLabels: ReadonlyMap<string, string>
  readonly maxFrames: number
  /** Whether only frames of the program are shown; those of Node and of packages are counted. */
  readonly showsOnlyOwnFrames: boolean
  /** Whether consecutive frames of `node:internal` are one line. */
  readonly foldsInternalFrames: boolean
  /** The fixed width; undefined for that of the device. */
  readonly width: number | undefined
  readonly usesColors: boolean
  /** Whether the date is before the time of day. */
  readonly showsDate: boolean
  /** Whether a record without a level and a severity has no label, instead of that of `info`. */
  readonly hidesUnspecifiedLevel: boolean
  /** Whether the stack of the exception is on further lines. Otherwise it is an attribute. */
  readonly hasStackLines: boolean
}

/** Returns the settings of checked options. */
export function settingsOf(options: PrettyOptions): PrettySettings {
  const { errorFrames, hide, only } = options
  const labels = Object.entries(options.levelLabels ?? {}).filter(([, label]) => label !== undefined)
  const { time, multiline, width, colors } = options
  return {
    key: [time, multiline, width, colors, errorFrames, hide, only, labels].map(keyOf).join(),
    time: time ?? 'local',
    isMultiline: multiline ?? true,
    hidden: new NameMatcher(hide ?? []),
    onlyShown: only === undefined ? undefined : new NameMatcher(only),
    levelLabels: new Map(labels),
    maxFrames: typeof errorFrames === 'number' ? errorFrames : Infinity,
    showsOnlyOwnFrames: errorFrames === 'own',
    foldsInternalFrames: false,
    width,
    usesColors: colors ?? false,
    showsDate: false,
    hidesUnspecifiedLevel: false,
    hasStackLines: true,
  }
}

/** Returns a text that identifies the value of an option. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  return typeof value === 'string' ? quote(value) : String(value)
}

/** Matches names of attributes. */
export class NameMatcher {
  private readonly names: ReadonlySet<string>
  private readonly prefixes: readonly string[]
  /** Whether it matches no name. */
  readonly isEmpty: boolean

  /** @param patterns - names, or prefixes of names that end in `*` */
  constructor(patterns: readonly string[]) {
    this.names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')))
    this.isEmpty = patterns.length === 0
    this.prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  }

  /** Returns whether a pattern matches a name. */
  matches(name: string): boolean {
    if (this.isEmpty) return false
    return this.names.has(name) || this.prefixes.some((prefix) => name.startsWith(prefix))
  }
}
