import {
  anything,
  callback,
  checkOptions,
  either,
  flag,
  object,
  options as bag,
  quotedWord,
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
import { refuseUnsupported } from './formats/format-options.ts'
import type { Format } from './info.ts'
import type { LevelNumbers } from './levels.ts'
import { plainLimits } from './plain-walk.ts'
import { isTransport, type AnyTransport } from './targets.ts'

/** Options of `createLogger`: those of winston's, and what this package adds. */
export interface LoggerOptions<L extends string = never> {
  /** The least severe level that is written. Default `info`. */
  readonly level?: string
  /** Levels by name, the lower the number the more severe. Default: those of npm. */
  readonly levels?: Readonly<Record<L, number>> | LevelNumbers
  /** How a record becomes text. Default `format.json()`. */
  readonly format?: Format
  /** Stands in each record. */
  readonly defaultMeta?: object | null
  /** Where records go. Default: nowhere, which is told. */
  readonly transports?: AnyTransport | readonly AnyTransport[]
  /** Whether an exception that nobody caught ends the process once it is written; a function is asked. Default true. */
  readonly exitOnError?: boolean | ((error: unknown) => boolean)
  /** Writes nothing. Default false. */
  readonly silent?: boolean
  /** Where exceptions go that nobody caught. */
  readonly exceptionHandlers?: AnyTransport | readonly AnyTransport[]
  /** Where rejections go that nobody handled. */
  readonly rejectionHandlers?: AnyTransport | readonly AnyTransport[]
  /** What must not leave: it holds for every format and transport, since none of them sees the values. */
  readonly redact?: Redact
  /** How much of a value is kept. Default: depth 64, 1,000 members of each object and array, 1,000,000 values in all. */
  readonly limits?: Pick<Limits, 'depth' | 'items' | 'stringLength' | 'stackFrames'>
  /** Where trouble is told: losses, formats that throw. Default: lines on the standard error, once a minute for each code. */
  readonly onDiagnostic?: OnDiagnostic
}

/** The options of a logger with every choice made. */
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

const ofTransports = 'give it to a transport'
const removed = 'winston 3 has not got it either: write a format'
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
 * @param known - the levels of a logger that is given none
 * @throws ConfigurationError with everything that is wrong.
 */
export function loggerSettings(given: LoggerOptions, known: LevelNumbers): LoggerSettings {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(given, '', problems, ['levels', 'limits']) ?? {}
  refuseUnsupported(own, unsupported, '', problems)
  const told = Object.fromEntries(Object.keys(unsupported).map((option) => [option, () => {}]))
  checkOptions(own, { ...schema, ...told }, '', problems)
  checkLevels(own, known, problems)
  const rules: Rules = {
    redaction: compileRedaction(own.redact, 'redact', problems),
    serializers: new Map(),
    limits: resolveLimits(own.limits, 'limits', problems, plainLimits),
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  return { options: own, rules, hasRules: own.redact !== undefined }
}

/** A level that there is not would let nothing through. */
function checkLevels(own: LoggerOptions, known: LevelNumbers, problems: ConfigurationProblem[]): void {
  const { levels } = own
  const all = typeof levels === 'object' && levels !== null ? levels : known
  const check = (level: unknown, path: string): void => {
    if (typeof level !== 'string' || Object.hasOwn(all, level)) return
    const message = `there is no level${quotedWord(level)}; levels are ${Object.keys(all).join(', ')}`
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
  }
  check(own.level, 'level')
  for (const option of ['transports', 'exceptionHandlers', 'rejectionHandlers'] as const) {
    eachTransport(own[option], option, (transport, path) => {
      // An empty one is the logger's.
      if (!isTransport(transport)) return
      const level = member(transport, 'level')
      if (level) check(level, `${path}.level`)
    })
  }
}

function eachTransport(value: unknown, where: string, see: (transport: unknown, path: string) => void): void {
  if (Array.isArray(value)) value.forEach((transport: unknown, index) => see(transport, `${where}[${index}]`))
  else see(value, where)
}
