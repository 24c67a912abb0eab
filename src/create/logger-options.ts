import { levelName } from '../record/level-names.ts'
import { foreignLoggerOptionNames } from '../options/foreign-logger-names.ts'
import { foreignLimitNames } from '../options/foreign-redaction-names.ts'
import { foreignProfileWords } from '../options/foreign-values.ts'
import { baggageName } from '../otel/api/baggage-selection.ts'
import { exportersCheck } from '../pipeline/exporter-checks.ts'
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import { member } from '../options/own-members.ts'
import { meterProviderCheck } from '../pipeline/meter.ts'
import type { LoggerOptions } from '../logger/types.ts'
import type { Directive } from '../levels/directive.ts'
import { checkedDirectives, unknownLevelName, unknownLevelOrDirective } from '../levels/directive-problems.ts'
import { resolveLevel } from '../levels/resolve-level.ts'
import { hasDirectiveSyntax, separateBareLevel } from '../levels/parse-directives.ts'
import { isLevelMethodName, type Levels } from '../logger/levels.ts'
import {
  anything,
  callback,
  checkOptions,
  choice,
  either,
  flag,
  functionLike,
  integer,
  list,
  objectLike,
  options as nested,
  table,
  text,
  typeName,
  type Check,
  type OptionSchema,
} from '../options/option-checks.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { checkRecorderOptions, type RecorderSettings } from '../recorder/options.ts'
import { isStandardLevel } from '../record/severity.ts'
import { resolveLimits } from '../values/limits.ts'
import { compileRedaction } from '../redact/redact.ts'
import type { Rules, Serializer } from '../values/record-rules.ts'
import { standardSerializers } from '../values/serializers.ts'
import type { ExitOptions } from '../lifecycle/destinations.ts'
import {
  defaultsOfProfile,
  exitOptionsOf,
  profileNames,
  profileOf,
  type Profile,
  type ProfileDefaults,
} from '../lifecycle/profiles.ts'

/** The settings of a logger that its options, the environment and the defaults of its profile determine together. */
export interface ResolvedLoggerOptions {
  readonly rules: Rules
  readonly level: string
  /** The directives in the option `level`. */
  readonly directives: readonly Directive[]
  readonly exit: ExitOptions
  readonly profileDefaults: ProfileDefaults
  /** The settings of the flight recorder; undefined without one. */
  readonly recorder: RecorderSettings | undefined
}

/** The logger settings of the environment. */
export interface LoggerEnvironment {
  readonly level: string | undefined
  /** The level in the profile `lambda` if `level` is undefined. */
  readonly lambdaLevel: string | undefined
  readonly profile: Profile | undefined
}

/** The names of options whose values are objects that `copyOptions` copies too. `compileRedaction` copies `redact` itself. */
export const nestedOptionNames: readonly string[] = ['levels', 'serializers', 'limits', 'resource', 'recorder']

/** Checks the options of a logger, and resolves those that are not set from the environment and the defaults. */
export function checkLoggerOptions(
  options: LoggerOptions,
  schema: OptionSchema,
  levels: Levels,
  environment: LoggerEnvironment,
  problems: ConfigurationProblem[],
): ResolvedLoggerOptions {
  checkOptions(options, schema, '', problems, foreignLoggerOptionNames)
  // `checkOptions` has added the problem.
  if (options === null) return checkLoggerOptions({}, schema, levels, environment, problems)
  // If `levels` is not an object, `checkOptions` has added a problem.
  if (typeof options.levels === 'object' && !Array.isArray(options.levels))
    for (const name of Object.keys(options.levels ?? {})) checkLevelName(name, problems)
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
  const recorder = checkRecorderOptions(options.recorder, levels, problems)
  if (options.provider !== undefined && options.recorder !== undefined) {
    const message = 'cannot be combined with provider; remove recorder, or use exporter'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'recorder', message })
  }
  if (recorder?.by === 'trace' && options.traceContext === false) {
    const message = "requires the trace context; remove traceContext: false, or set by to 'request' or an attribute"
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'recorder.by', message })
  }
  const profileName = profileOf(options.profile, environment.profile)
  const profileDefaults = defaultsOfProfile(profileName, { hasOnDiagnostic: options.onDiagnostic !== undefined })
  const { bareLevel, directives } = levelOption(options.level, levels, problems)
  const level: string =
    bareLevel ?? environment.level ?? (profileName === 'lambda' ? environment.lambdaLevel : undefined) ?? 'info'
  checkLevel(level, 'level', levels, problems)
  const exporters = options.exporter === undefined ? [] : [options.exporter].flat()
  exporters.forEach((exporter, index) => {
    const path = Array.isArray(options.exporter) ? `exporter[${index}]` : 'exporter'
    checkLevel(exporterLevel(exporter), `${path}.level`, levels, problems)
  })
  return {
    level,
    directives,
    rules: {
      redaction: compileRedaction(options.redact, 'redact', problems),
      serializers: new Map([
        ...standardSerializers,
        ...(Object.entries(options.serializers ?? {}) as [string, Serializer][]),
      ]),
      limits: resolveLimits(options.limits, 'limits', problems),
    },
    exit: exitOptionsOf(options, profileDefaults),
    recorder,
    profileDefaults,
  }
}

const checkNumber: Check = (value, where, problems) => {
  if (typeof value !== 'number')
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be a number, not ${typeName(value)}` })
}

/** Checks the severity number of a level. The levels of other libraries have other numbers. */
const checkSeverityNumber: Check = (value, where, problems) => {
  const problemsBefore = problems.length
  integer(1, 24)(value, where, problems)
  if (problems.length === problemsBefore) return
  const problem = problems.pop()!
  problems.push({ ...problem, message: `${problem.message}; in OpenTelemetry, info is 9 and warn is 13` })
}

const checkLoggerProvider: Check = (value, where, problems) => {
  const isProvider =
    typeof value === 'object' &&
    value !== null &&
    typeof member(value as { getLogger?: unknown }, 'getLogger') === 'function'
  if (isProvider || value === 'global') return
  const message = "must be an OpenTelemetry LoggerProvider, or 'global' for the registered one"
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
}

/** All options of a logger with their checks. Options with `anything`, except `types`, are checked where they are read. */
export const loggerSchema: Readonly<Record<keyof LoggerOptions, Check>> = {
  name: text(),
  version: text(),
  level: levelName,
  levels: table(checkSeverityNumber, '{ notice: 10 }'),
  types: anything, // Only for the compiler; the value has no effect.
  attributes: objectLike("{ region: 'eu' }"),
  enrich: functionLike('() => ({ requestId })'),
  handler: functionLike('(next) => ({ handle(record) { … } })'),
  messagePrefix: text(),
  serializers: table(functionLike('(value) => …'), '{ err: (error) => … }'),
  redact: anything,
  limits: nested(
    {
      depth: anything,
      attributes: anything,
      items: anything,
      stringLength: anything,
      recordBytes: anything,
      stackFrames: anything,
    },
    foreignLimitNames,
  ),
  resource: table(either('a string, a number or a boolean', text(), flag, checkNumber), "{ 'service.name': 'shop' }"),
  baggage: list(baggageName),
  recorder: anything,
  traceContext: flag,
  traceBased: flag,
  provider: checkLoggerProvider,
  exporter: exportersCheck,
  profile: choice(profileNames, foreignProfileWords),
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  clock: functionLike('() => Date.now()'),
  onDiagnostic: callback,
  meterProvider: meterProviderCheck,
}

/** Returns the level and the directives of the option `level`, which may be invalid. */
function levelOption(
  given: unknown,
  levels: Levels,
  problems: ConfigurationProblem[],
): { readonly bareLevel: string | undefined; readonly directives: readonly Directive[] } {
  if (typeof given !== 'string' || !hasDirectiveSyntax(given))
    return { bareLevel: given as string | undefined, directives: [] }
  const { bareLevel, targeted } = separateBareLevel(checkedDirectives(given, 'level', levels, problems))
  const level = bareLevel === undefined ? undefined : resolveLevel(bareLevel, levels)?.name
  return { bareLevel: level, directives: targeted }
}

/** Returns the `level` in the delivery options of an exporter, which may be invalid. */
function exporterLevel(exporter: Exporter | undefined): unknown {
  try {
    return member(Object(member(Object(exporter) as Partial<Exporter>, 'delivery')) as Delivery, 'level')
  } catch {
    return undefined // The check of the exporter reports this.
  }
}

function checkLevelName(name: string, problems: ConfigurationProblem[]): void {
  if (isLevelMethodName(name) && !isStandardLevel(name)) return
  const message = `invalid level name ${JSON.stringify(name)}; use an identifier that is not yet a level or another member of a logger`
  problems.push({ code: 'SLUICE_LEVEL_NAME', path: `levels.${name}`, message })
}

function checkLevel(level: unknown, path: string, levels: Levels, problems: ConfigurationProblem[]): void {
  if (level === undefined || typeof level !== 'string' || levels.threshold(level) !== undefined) return
  const message = path === 'level' ? unknownLevelOrDirective(level, levels) : unknownLevelName(level, levels)
  problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
}
