import { profileNames, type Profile } from '../../lifecycle/profiles.ts'
import { layoutNames, type LayoutName } from '../../encode/json/layout-bases.ts'
import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { processLevelLayers } from '../../levels/level-layers.ts'
import { suggestionText } from '../../options/option-checks.ts'
import { normalizedName } from '../../options/foreign-names.ts'
import { unknownLevelOrDirective } from '../../levels/directive-problems.ts'
import { hasDirectiveSyntax, parseDirectives, separateBareLevel } from '../../levels/parse-directives.ts'
import { resolveLevel, type LevelNames } from '../../levels/resolve-level.ts'
import { levelSynonym } from '../../record/level-names.ts'
import { standardLevels } from '../../record/severity.ts'
import { valueOf, type Environment } from './variables.ts'

/** The settings in the environment. A setting is undefined if its variable is unset, blank or invalid. */
export interface EnvironmentSettings {
  /** `SLUICE_LEVEL`, otherwise `LOG_LEVEL`: the name of a level of this logger, or `silent`. */
  readonly level: string | undefined
  /** `AWS_LAMBDA_LOG_LEVEL`: the level set for the Lambda function. */
  readonly lambdaLevel: string | undefined
  /** `SLUICE_PROFILE`, otherwise `lambda` if AWS Lambda sets the function's name. */
  readonly profile: Profile | undefined
  /** `SLUICE_FORMAT`. */
  readonly format: 'auto' | 'json' | 'pretty' | 'otlpJson' | undefined
  /** `SLUICE_LAYOUT`. */
  readonly layout: LayoutName | undefined
  /** `SLUICE_CONSOLE`: how `sluice/register` captures the console. */
  readonly console: 'passthrough' | 'records' | undefined
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean
}

/**
 * Reads the environment variables of this package. Case, `-` and `_` of words are ignored. An invalid value is reported as
 * `SLUICE_ENV_INVALID`, once for each variable and value (never without `reportDiagnostic`), and counts as unset. Never throws.
 *
 * @param levels - The names of the logger's levels. The standard ones and `silent` are always valid.
 */
export function readEnvironment(
  reportDiagnostic: OnDiagnostic | undefined,
  levels: readonly string[] = [],
  env: Environment = process.env,
): EnvironmentSettings {
  const reader = { env, reportDiagnostic }
  // Called to report an invalid OTEL_LOG_LEVEL. With a configuration file the variable does not apply.
  if (configFileIn(env) === undefined) diagnosticLevel(reportDiagnostic, env)
  return {
    level: levelOf(reader, 'SLUICE_LEVEL', levels) ?? levelOf(reader, 'LOG_LEVEL', levels),
    lambdaLevel: levelOf(reader, 'AWS_LAMBDA_LOG_LEVEL', levels),
    profile: environmentProfile(reportDiagnostic, env),
    format: wordOf(reader, 'SLUICE_FORMAT', ['auto', 'json', 'pretty', 'otlpJson'] as const),
    layout: wordOf(reader, 'SLUICE_LAYOUT', layoutNames),
    console: wordOf(reader, 'SLUICE_CONSOLE', ['passthrough', 'records'] as const),
    isProduction: valueOf(env, 'NODE_ENV')?.toLowerCase() === 'production',
  }
}

/**
 * Reports an invalid `SLUICE_LEVEL`, for loggers whose level it does not set.
 *
 * @param levels - the names of the logger's levels
 */
export function checkLevelVariable(
  reportDiagnostic: OnDiagnostic,
  levels: readonly string[],
  env: Environment = process.env,
): void {
  levelOf({ env, reportDiagnostic }, 'SLUICE_LEVEL', levels)
}

/** Reads only the profile from the environment. Never throws. */
export function environmentProfile(
  reportDiagnostic: OnDiagnostic | undefined,
  env: Environment = process.env,
): Profile | undefined {
  const reader = { env, reportDiagnostic }
  return wordOf(reader, 'SLUICE_PROFILE', profileNames) ?? detectedProfile(env)
}

/** Returns the path of an OpenTelemetry configuration file. The second variable is the deprecated name of the first. */
export function configFileIn(env: Environment): string | undefined {
  return valueOf(env, 'OTEL_CONFIG_FILE') ?? valueOf(env, 'OTEL_EXPERIMENTAL_CONFIG_FILE')
}

/**
 * Returns the level of this package's own diagnostics on stderr: `OTEL_LOG_LEVEL`, case-insensitive, by default `warn`, which
 * includes all of them. It is never the level of the application's records.
 */
export function diagnosticLevel(
  reportDiagnostic: OnDiagnostic | undefined,
  env: Environment = process.env,
): DiagnosticLevel {
  const word = wordOf({ env, reportDiagnostic }, 'OTEL_LOG_LEVEL', [
    'none',
    'error',
    'warn',
    'info',
    'debug',
    'verbose',
    'all',
  ])
  // Every diagnostic is an error or a warning, so the more detailed levels are equivalent to `warn`.
  return word === 'none' || word === 'error' ? word : 'warn'
}

/**
 * Reports an invalid variable, unless the same value was reported before, because createLogger may be called many times in a
 * process. Reports at most `maxReported` values.
 */
export function reportInvalid(
  reportDiagnostic: OnDiagnostic | undefined,
  variable: string,
  value: string,
  message: string,
): void {
  const assignment = `${variable}=${value}`
  if (reportDiagnostic === undefined || reportedAssignments.has(assignment) || reportedAssignments.size >= maxReported)
    return
  reportedAssignments.add(assignment)
  try {
    reportDiagnostic({ code: 'SLUICE_ENV_INVALID', message: `${variable} ${message}` })
  } catch {
    // The application's callback threw. The environment must never cause an error.
  }
}

/** The variables that were reported as invalid, with their values. */
const reportedAssignments = new Set<string>()
const maxReported = 100

/** The variables to read, and where invalid ones are reported. */
interface EnvironmentReader {
  readonly env: Environment
  readonly reportDiagnostic: OnDiagnostic | undefined
}

function detectedProfile(env: Environment): Profile | undefined {
  return valueOf(env, 'AWS_LAMBDA_FUNCTION_NAME') === undefined ? undefined : 'lambda'
}

function levelOf(reader: EnvironmentReader, variable: string, levels: readonly string[]): string | undefined {
  const value = valueOf(reader.env, variable)
  if (value === undefined) return undefined
  const names = [...new Set([...levels, ...standardLevels])]
  // Levels of other loggers are valid too, but not of this one.
  const others = processLevelLayers().knownLevels
  const known: LevelNames = { names, has: (name) => names.includes(name) || others.has(name) }
  if (variable === 'SLUICE_LEVEL' && hasDirectiveSyntax(value)) return bareLevelOf(reader, value, known)
  const level = matchingWord(value, [...names, 'silent']) ?? levelSynonym(value)
  if (level !== undefined || others.has(value)) return level
  const problem = hasDirectiveSyntax(value)
    ? 'has directives, which only SLUICE_LEVEL can have'
    : hiddenLevelProblem(value, known)
  reportInvalid(reader.reportDiagnostic, variable, value, `${problem}; it is ignored`)
  return undefined
}

/** Returns what is wrong with a level, without the value, which may be a secret that was set as the wrong variable. */
function hiddenLevelProblem(value: string, levels: LevelNames): string {
  if (/[.*?:;'!/]/.test(value)) return `is invalid: ${unknownLevelOrDirective(value, levels)}`
  const names = [...levels.names, 'silent']
  return `must be one of ${names.join(', ')}${suggestionText(value, names)}`
}

/** Returns the level without a name in the directives of `SLUICE_LEVEL`, or undefined. Reports invalid directives. */
function bareLevelOf({ reportDiagnostic }: EnvironmentReader, value: string, levels: LevelNames): string | undefined {
  const { directives, problems } = parseDirectives(value, levels)
  const reasons = problems.map(({ position, message }) => `at ${position}: ${message}`)
  if (reasons.length > 0)
    reportInvalid(reportDiagnostic, 'SLUICE_LEVEL', value, `${reasons.join('; ')}; the other directives are set`)
  const { bareLevel } = separateBareLevel(directives)
  const threshold = (name: string) => (levels.names.includes(name) || name === 'silent' ? 0 : undefined)
  return bareLevel === undefined ? undefined : resolveLevel(bareLevel, { threshold })?.name
}

function wordOf<W extends string>(
  reader: EnvironmentReader,
  variable: string,
  validWords: readonly W[],
): W | undefined {
  const value = valueOf(reader.env, variable)
  if (value === undefined) return undefined
  const word = matchingWord(value, validWords)
  if (word === undefined)
    reportInvalid(reader.reportDiagnostic, variable, value, `must be one of ${validWords.join(', ')}; it is ignored`)
  return word
}

/** Returns the valid word that matches regardless of case, `-` and `_`. An exact match takes precedence. */
function matchingWord<W extends string>(value: string, validWords: readonly W[]): W | undefined {
  const normalized = normalizedName(value)
  return validWords.find((word) => word === value) ?? validWords.find((word) => normalizedName(word) === normalized)
}
