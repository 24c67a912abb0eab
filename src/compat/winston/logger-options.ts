import { unknownLevel } from '../../record/level-names.ts'
import {
  anything,
  callback,
  checkOptions,
  either,
  flag,
  object,
  options as nested,
  table,
  text,
  type Check,
} from '../../options/option-checks.ts'
import { member } from '../../options/own-members.ts'
import { copyOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import { resolveLimits, type Limits } from '../../values/limits.ts'
import { compileRedaction, type Redact } from '../../redact/redact.ts'
import type { Rules } from '../../values/record-rules.ts'
import { checkFormat } from './formats/format.ts'
import { rejectUnsupported } from './formats/format-options.ts'
import type { Format } from './info.ts'
import type { LevelNumbers } from './levels.ts'
import { defaultInfoLimits } from './plain-walk.ts'
import { isTransport, type AnyTransport } from './targets.ts'

/** Options of `createLogger`: those of winston, and redaction, limits and diagnostics in addition. */
export interface LoggerOptions<L extends string = never> {
  /**
   * Minimum level that is logged.
   *
   * @defaultValue `info`
   */
  readonly level?: string
  /**
   * Levels by name. Lower numbers are more severe.
   *
   * @defaultValue the levels of npm
   */
  readonly levels?: Readonly<Record<L, number>> | LevelNumbers
  /**
   * Format that converts records to text.
   *
   * @defaultValue `format.json()`
   */
  readonly format?: Format
  /**
   * Members that are added to each record.
   *
   * @defaultValue none
   */
  readonly defaultMeta?: object | null
  /**
   * Transports that write the records.
   *
   * @defaultValue none, which is reported
   */
  readonly transports?: AnyTransport | readonly AnyTransport[]
  /**
   * Whether an uncaught exception or unhandled rejection that the logger handles ends the process after it is written. A function
   * decides for each error.
   *
   * @defaultValue true
   */
  readonly exitOnError?: boolean | ((error: unknown) => boolean)
  /**
   * Disables logging.
   *
   * @defaultValue false
   */
  readonly silent?: boolean
  /**
   * Transports for uncaught exceptions.
   *
   * @defaultValue none
   */
  readonly exceptionHandlers?: AnyTransport | readonly AnyTransport[]
  /**
   * Transports for unhandled rejections.
   *
   * @defaultValue none
   */
  readonly rejectionHandlers?: AnyTransport | readonly AnyTransport[]
  /**
   * Redaction rules. They are applied before formats and transports, none of which receives the original values.
   *
   * @defaultValue redaction of credentials in members named `headers`
   */
  readonly redact?: Redact
  /**
   * Limits for logged values.
   *
   * @defaultValue depth 64, 1,000 members per object and array, 1,000,000 values in total
   */
  readonly limits?: Pick<Limits, 'depth' | 'items' | 'stringLength' | 'stackFrames'>
  /**
   * Callback for diagnostics, such as lost records and formats that throw.
   *
   * @defaultValue the event `warn` of the logger if it has listeners, otherwise lines on standard error
   */
  readonly onDiagnostic?: OnDiagnostic
}

/** Checked options of a logger, and its compiled rules. */
export interface LoggerSettings {
  readonly options: LoggerOptions
  readonly rules: Rules
  /** Whether the option `redact` is set. Without it, only credential headers and passwords in URLs are redacted. */
  readonly hasCustomRules: boolean
}

const checkTransports: Check = (value, where, problems) => {
  forEachTransport(value, where, (transport, path) => {
    if (isTransport(transport)) return
    const message = 'must be a transport: a stream in object mode, such as new transports.Console()'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path, message })
  })
}

const checkNumber: Check = (value, where, problems) => {
  if (typeof value !== 'number') problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a number' })
}

const schema: Readonly<Record<keyof LoggerOptions, Check>> = {
  level: text(),
  levels: table(checkNumber),
  format: checkFormat,
  defaultMeta: either('an object or null', object, (value, where, problems) => {
    if (value !== null) object(value, where, problems)
  }),
  transports: checkTransports,
  exitOnError: either('true, false or a function', flag, callback),
  silent: flag,
  exceptionHandlers: checkTransports,
  rejectionHandlers: checkTransports,
  redact: anything,
  limits: nested({ depth: anything, items: anything, stringLength: anything, stackFrames: anything }),
  onDiagnostic: callback,
}

// What to do instead of setting an unsupported option of winston.
const setOnTransport = 'set it on a transport'
const notInWinston3 = 'winston 3 does not support it either: write a format'
const unsupportedOptions = {
  handleExceptions: setOnTransport,
  handleRejections: setOnTransport,
  colors: 'use addColors() or format.colorize({ colors })',
  emitErrs: notInWinston3,
  formatters: notInWinston3,
  padLevels: 'use format.padLevels()',
  rewriters: notInWinston3,
  stripColors: 'use format.uncolorize()',
}

/**
 * Checks the options of a logger.
 *
 * @param defaultLevels - used if the options have no `levels`
 * @param caller - name of the function that was called, for the error
 * @throws ConfigurationError with everything that is invalid.
 */
export function loggerSettings(given: LoggerOptions, defaultLevels: LevelNumbers, caller: string): LoggerSettings {
  const problems: ConfigurationProblem[] = []
  const options = copyOptions(given, '', problems, ['levels', 'limits']) ?? {}
  rejectUnsupported(options, unsupportedOptions, '', problems)
  // Checks that accept any value, so that `checkOptions` does not report these options again as unknown.
  const alreadyReported = Object.fromEntries(Object.keys(unsupportedOptions).map((option) => [option, () => {}]))
  checkOptions(options, { ...schema, ...alreadyReported }, '', problems)
  checkLevels(options, defaultLevels, problems)
  const rules: Rules = {
    redaction: compileRedaction(options.redact, 'redact', problems),
    serializers: new Map(),
    limits: resolveLimits(options.limits, 'limits', problems, defaultInfoLimits),
  }
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
  return { options, rules, hasCustomRules: options.redact !== undefined }
}

/** Checks the level names of the logger and its transports, because nothing would be logged with an unknown one. */
function checkLevels(options: LoggerOptions, defaultLevels: LevelNumbers, problems: ConfigurationProblem[]): void {
  const { levels } = options
  const validLevels = typeof levels === 'object' && levels !== null ? levels : defaultLevels
  const check = (level: unknown, path: string): void => {
    if (typeof level !== 'string' || Object.hasOwn(validLevels, level)) return
    const message = unknownLevel(level, Object.keys(validLevels))
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
  }
  check(options.level, 'level')
  for (const option of ['transports', 'exceptionHandlers', 'rejectionHandlers'] as const) {
    forEachTransport(options[option], option, (transport, path) => {
      if (!isTransport(transport)) return
      // An empty level means the level of the logger.
      const level = member(transport, 'level')
      if (level) check(level, `${path}.level`)
    })
  }
}

function forEachTransport(value: unknown, where: string, check: (transport: unknown, path: string) => void): void {
  if (Array.isArray(value)) value.forEach((transport: unknown, index) => check(transport, `${where}[${index}]`))
  else check(value, where)
}
