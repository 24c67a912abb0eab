import {
  anything,
  callback,
  checkOptions,
  either,
  flag,
  object,
  options as bag,
  unknownName,
  table,
  text,
  type Check,
} from '../../options/option-checks.ts'
import { member } from '../../options/own-members.ts'
import { ownOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import { resolveLimits, type Limits } from '../../values/limits.ts'
import { compileRedaction, type Redact } from '../../redact/redact.ts'
import type { Rules } from '../../values/record-rules.ts'
import { isFormat } from './formats/format.ts'
import { rejectUnsupported } from './formats/format-options.ts'
import type { Format } from './info.ts'
import type { LevelNumbers } from './levels.ts'
import { plainLimits } from './plain-walk.ts'
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
  /** Members that are added to each record. */
  readonly defaultMeta?: object | null
  /**
   * Transports that write the records.
   *
   * @defaultValue none, which is reported
   */
  readonly transports?: AnyTransport | readonly AnyTransport[]
  /**
   * Whether an uncaught exception ends the process after it is written. A function decides for each error.
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
  /** Transports for uncaught exceptions. */
  readonly exceptionHandlers?: AnyTransport | readonly AnyTransport[]
  /** Transports for unhandled rejections. */
  readonly rejectionHandlers?: AnyTransport | readonly AnyTransport[]
  /** Redaction rules. They are applied before formats and transports, none of which receives the original values. */
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
   * @defaultValue lines on standard error, once per minute and code
   */
  readonly onDiagnostic?: OnDiagnostic
}

/** Checked options of a logger, and its compiled rules. */
export interface LoggerSettings {
  readonly options: LoggerOptions
  readonly rules: Rules
  readonly hasRules: boolean
}

const transports: Check = (value, where, problems) => {
  eachTransport(value, where, (transport, path) => {
    if (isTransport(transport)) return
    const message = 'must be a transport: a stream in object mode, such as new transports.Console()'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path, message })
  })
}

const number: Check = (value, where, problems) => {
  if (typeof value !== 'number') problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a number' })
}

const schema: Readonly<Record<keyof LoggerOptions, Check>> = {
  level: text(),
  levels: table(number),
  format: isFormat,
  defaultMeta: either('an object or null', object, (value, where, problems) => {
    if (value !== null) object(value, where, problems)
  }),
  transports,
  exitOnError: either('true, false or a function', flag, callback),
  silent: flag,
  exceptionHandlers: transports,
  rejectionHandlers: transports,
  redact: anything,
  limits: bag({ depth: anything, items: anything, stringLength: anything, stackFrames: anything }),
  onDiagnostic: callback,
}

const ofTransports = 'set it on a transport'
const removed = 'winston 3 does not support it either: write a format'
const unsupported = {
  handleExceptions: ofTransports,
  handleRejections: ofTransports,
  colors: 'use addColors() or format.colorize({ colors })',
  emitErrs: removed,
  formatters: removed,
  padLevels: 'use format.padLevels()',
  rewriters: removed,
  stripColors: 'use format.uncolorize()',
}

/**
 * Checks the options of a logger.
 *
 * @param known - default levels
 * @param caller - name of the function that was called, for the error
 * @throws ConfigurationError with everything that is invalid.
 */
export function loggerSettings(given: LoggerOptions, known: LevelNumbers, caller: string): LoggerSettings {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(given, '', problems, ['levels', 'limits']) ?? {}
  rejectUnsupported(own, unsupported, '', problems)
  const rejected = Object.fromEntries(Object.keys(unsupported).map((option) => [option, () => {}]))
  checkOptions(own, { ...schema, ...rejected }, '', problems)
  checkLevels(own, known, problems)
  const rules: Rules = {
    redaction: compileRedaction(own.redact, 'redact', problems),
    serializers: new Map(),
    limits: resolveLimits(own.limits, 'limits', problems, plainLimits),
  }
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
  return { options: own, rules, hasRules: own.redact !== undefined }
}

/** Checks level names: with an unknown level, nothing would be logged. */
function checkLevels(own: LoggerOptions, known: LevelNumbers, problems: ConfigurationProblem[]): void {
  const { levels } = own
  const all = typeof levels === 'object' && levels !== null ? levels : known
  const check = (level: unknown, path: string): void => {
    if (typeof level !== 'string' || Object.hasOwn(all, level)) return
    const message = unknownName('level', level, Object.keys(all))
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
  }
  check(own.level, 'level')
  for (const option of ['transports', 'exceptionHandlers', 'rejectionHandlers'] as const) {
    eachTransport(own[option], option, (transport, path) => {
      // An empty level means the level of the logger.
      if (!isTransport(transport)) return
      const level = member(transport, 'level')
      if (level) check(level, `${path}.level`)
    })
  }
}

function eachTransport(value: unknown, where: string, check: (transport: unknown, path: string) => void): void {
  if (Array.isArray(value)) value.forEach((transport: unknown, index) => check(transport, `${where}[${index}]`))
  else check(value, where)
}
