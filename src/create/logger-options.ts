import { exportersCheck } from '../pipeline/exporter-checks.ts'
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import { member } from '../options/own-members.ts'
import { meterProvider } from '../pipeline/meter.ts'
import type { LoggerOptions } from '../logger/types.ts'
import type { Levels } from '../logger/levels.ts'
import {
  anything,
  callback,
  checkOptions,
  choice,
  either,
  flag,
  integer,
  object,
  options as nested,
  table,
  text,
  typeName,
  unknownName,
  type Check,
  type OptionSchema,
} from '../options/option-checks.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { isStandardLevel } from '../record/severity.ts'
import { resolveLimits } from '../values/limits.ts'
import { compileRedaction } from '../redact/redact.ts'
import type { Rules, Serializer } from '../values/record-rules.ts'
import { standardSerializers } from '../values/serializers.ts'
import type { ExitOptions } from '../lifecycle/destinations.ts'
import {
  defaultsOf,
  exitOf,
  profileNames,
  profileOf,
  type Profile,
  type ProfileDefaults,
} from '../lifecycle/profiles.ts'
import { objectPrototypeNames } from '../record/object-prototype-names.ts'

/** The options of a logger with all defaults resolved. */
export interface CheckedOptions {
  readonly rules: Rules
  readonly level: string
  readonly exit: ExitOptions
  readonly profile: ProfileDefaults
}

/** The logger settings of the environment. */
export interface LoggerEnvironment {
  readonly level: string | undefined
  /** The level in the profile `lambda` if `level` is undefined. */
  readonly lambdaLevel: string | undefined
  readonly profile: Profile | undefined
}

/** The options that are themselves objects with options. Redaction rules are read separately. */
export const optionBags: readonly string[] = ['levels', 'serializers', 'limits', 'resource']

/** Checks the options of a logger, and resolves those that are not set from the environment and the defaults. */
export function checkLoggerOptions(
  options: LoggerOptions,
  schema: OptionSchema,
  levels: Levels,
  environment: LoggerEnvironment,
  problems: ConfigurationProblem[],
): CheckedOptions {
  checkOptions(options, schema, '', problems)
  if (options === null) return checkLoggerOptions({}, schema, levels, environment, problems)
  for (const name of Object.keys(Object(options.levels ?? {}) as object)) checkLevelName(name, problems)
  if (options.provider !== undefined && options.exporter !== undefined) {
    const message = 'cannot be combined with exporter; remove one of the two'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'provider', message })
  }
  if (options.provider !== undefined && options.profile !== undefined) {
    const message = 'cannot be combined with provider; remove profile'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'profile', message })
  }
  if (options.traceBased === true && options.traceContext === false) {
    const message = 'requires the trace context; remove traceContext: false'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'traceBased', message })
  }
  const name = profileOf(options.profile, environment.profile)
  const profile = defaultsOf(name, options.onDiagnostic)
  const level: string =
    options.level ?? environment.level ?? (name === 'lambda' ? environment.lambdaLevel : undefined) ?? 'info'
  checkLevel(level, 'level', levels, problems)
  const exporters = options.exporter === undefined ? [] : [options.exporter].flat()
  exporters.forEach((exporter, index) => {
    const path = Array.isArray(options.exporter) ? `exporter[${index}]` : 'exporter'
    checkLevel(levelOf(exporter), `${path}.level`, levels, problems)
  })
  return {
    level,
    rules: {
      redaction: compileRedaction(options.redact, 'redact', problems),
      serializers: new Map([
        ...standardSerializers,
        ...(Object.entries(options.serializers ?? {}) as [string, Serializer][]),
      ]),
      limits: resolveLimits(options.limits, 'limits', problems),
    },
    exit: exitOf(options, profile),
    profile,
  }
}

const number: Check = (value, where, problems) => {
  if (typeof value !== 'number')
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be a number, not ${typeName(value)}` })
}

const loggerProvider: Check = (value, where, problems) => {
  const isProvider =
    typeof value === 'object' &&
    value !== null &&
    typeof member(value as { getLogger?: unknown }, 'getLogger') === 'function'
  if (isProvider || value === 'global') return
  const message = "must be an OpenTelemetry LoggerProvider, or 'global' for the registered one"
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
}

/** All options of a logger with their checks. */
export const loggerSchema: Readonly<Record<keyof LoggerOptions, Check>> = {
  name: text(),
  version: text(),
  level: text(),
  levels: table(integer(1, 24)),
  types: anything,
  attributes: object,
  enrich: callback,
  handler: callback,
  messagePrefix: text(),
  serializers: table(callback),
  redact: anything,
  limits: nested({
    depth: anything,
    attributes: anything,
    items: anything,
    stringLength: anything,
    recordBytes: anything,
    stackFrames: anything,
  }),
  resource: table(either('a string, a number or a boolean', text(), flag, number)),
  traceContext: flag,
  traceBased: flag,
  provider: loggerProvider,
  exporter: exportersCheck,
  profile: choice(profileNames),
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  clock: callback,
  onDiagnostic: callback,
  meterProvider: meterProvider,
}

/** Returns the level that a custom exporter sets. */
function levelOf(exporter: Exporter | undefined): unknown {
  try {
    return member(Object(member(Object(exporter) as Partial<Exporter>, 'delivery')) as Delivery, 'level')
  } catch {
    return undefined // Reported as an invalid exporter.
  }
}

/** The members of a logger, whose names a custom level cannot have. */
const reservedNames = ['silent', 'level', 'isLevelEnabled', 'child', 'flush', 'flushSync', 'stats', 'shutdown', 'then']

function checkLevelName(name: string, problems: ConfigurationProblem[]): void {
  if (
    /^[a-z_$][\w$]*$/i.test(name) &&
    !reservedNames.includes(name) &&
    !isStandardLevel(name) &&
    !objectPrototypeNames.has(name)
  )
    return
  const message = `invalid level name ${JSON.stringify(name)}; use an identifier that is not yet a level or another member of a logger`
  problems.push({ code: 'SLUICE_LEVEL_NAME', path: `levels.${name}`, message })
}

function checkLevel(level: unknown, path: string, levels: Levels, problems: ConfigurationProblem[]): void {
  if (level === undefined || typeof level !== 'string' || levels.threshold(level) !== undefined) return
  const message = unknownName('level', level, [...levels.names, 'silent'])
  problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
}
