import { profileNames, type Profile } from '../../lifecycle/profiles.ts'
import { layoutNames, type LayoutName } from '../../encode/json/layout-bases.ts'
import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { standardLevels } from '../../record/severity.ts'

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The settings in the environment. A setting is undefined if its variable is unset, empty or invalid. */
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
  readonly production: boolean
}

/**
 * Reads the environment variables of this package. Words are case-insensitive. An invalid value is reported as
 * `SLUICE_ENV_INVALID`, once for each variable and value (never without `reportDiagnostic`), and counts as unset. Never throws.
 *
 * @param levels - The logger's own levels.
 */
export function readEnvironment(
  reportDiagnostic: OnDiagnostic | undefined,
  levels: readonly string[] = [],
  env: Environment = process.env,
): EnvironmentSettings {
  const reader = { env, reportDiagnostic }
  // With a configuration file OTEL_LOG_LEVEL does not apply, so an invalid value is not reported.
  if (configFileIn(env) === undefined) diagnosticLevel(reportDiagnostic, env)
  return {
    level: levelOf(reader, 'SLUICE_LEVEL', levels) ?? levelOf(reader, 'LOG_LEVEL', levels),
    lambdaLevel: levelOf(reader, 'AWS_LAMBDA_LOG_LEVEL', levels),
    profile: environmentProfile(reportDiagnostic, env),
    format: wordOf(reader, 'SLUICE_FORMAT', ['auto', 'json', 'pretty', 'otlpJson'] as const),
    layout: wordOf(reader, 'SLUICE_LAYOUT', layoutNames),
    console: wordOf(reader, 'SLUICE_CONSOLE', ['passthrough', 'records'] as const),
    production: valueOf(env, 'NODE_ENV')?.toLowerCase() === 'production',
  }
}

/** Reads only the profile from the environment. Never throws. */
export function environmentProfile(
  reportDiagnostic: OnDiagnostic | undefined,
  env: Environment = process.env,
): Profile | undefined {
  const reader = { env, reportDiagnostic }
  return wordOf(reader, 'SLUICE_PROFILE', profileNames) ?? profileFoundIn(env)
}

/** Returns the path of an OpenTelemetry configuration file. The second variable is the deprecated name of the first. */
export function configFileIn(env: Environment): string | undefined {
  return valueOf(env, 'OTEL_CONFIG_FILE') ?? valueOf(env, 'OTEL_EXPERIMENTAL_CONFIG_FILE')
}

/**
 * Returns the level of this package's own diagnostics on stderr: `OTEL_LOG_LEVEL`, in any case, by default all of them. It is
 * never the level of the application's records (ENV10).
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
  return word === 'none' || word === 'error' ? word : 'warn'
}

/** Reports an invalid variable, unless it was reported before: createLogger may be called many times in a process. */
export function reportInvalid(
  reportDiagnostic: OnDiagnostic | undefined,
  variable: string,
  value: string,
  message: string,
): void {
  const subject = `${variable}=${value}`
  if (reportDiagnostic === undefined || reportedVariables.has(subject) || reportedVariables.size >= maxReported) return
  reportedVariables.add(subject)
  try {
    reportDiagnostic({ code: 'SLUICE_ENV_INVALID', message: `${variable} ${message}` })
  } catch {
    // The application's callback threw. The environment must never cause an error.
  }
}

/** Returns a variable's value, or undefined if it is unset, empty or blank. Never throws. */
export function valueOf(env: Environment, variable: string): string | undefined {
  try {
    // Read own properties only: process.env inherits from Object.prototype.
    const value: unknown = Object.hasOwn(env, variable) ? env[variable] : undefined
    const trimmed = typeof value === 'string' ? value.trim() : ''
    return trimmed === '' ? undefined : trimmed
  } catch {
    return undefined // Deno without the permission to read it
  }
}

const reportedVariables = new Set<string>()
const maxReported = 100

interface Reader {
  readonly env: Environment
  readonly reportDiagnostic: OnDiagnostic | undefined
}

/**
 * The names of levels in other systems (OpenTelemetry logs data model, appendix B, and the levels of npm and syslog). Each maps
 * to the level of its severity range (SEV5), so that a threshold never hides more than intended.
 */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['all', 'trace'],
  ['silly', 'trace'],
  ['verbose', 'debug'],
  ['http', 'debug'],
  ['informational', 'info'],
  ['information', 'info'],
  ['log', 'info'],
  ['notice', 'info'],
  ['warning', 'warn'],
  ['err', 'error'],
  ['severe', 'error'],
  ['crit', 'error'],
  ['critical', 'error'],
  ['alert', 'error'],
  ['emerg', 'fatal'],
  ['emergency', 'fatal'],
  ['panic', 'fatal'],
  ['off', 'silent'],
  ['none', 'silent'],
])

function profileFoundIn(env: Environment): Profile | undefined {
  return valueOf(env, 'AWS_LAMBDA_FUNCTION_NAME') === undefined ? undefined : 'lambda'
}

function levelOf(reader: Reader, variable: string, levels: readonly string[]): string | undefined {
  const value = valueOf(reader.env, variable)
  if (value === undefined) return undefined
  const known = [...new Set([...levels, ...standardLevels, 'silent'])]
  const level = matching(value, known) ?? synonyms.get(value.toLowerCase())
  if (level === undefined)
    reportInvalid(reader.reportDiagnostic, variable, value, `must be one of ${known.join(', ')}; it is ignored`)
  return level
}

function wordOf<W extends string>(reader: Reader, variable: string, known: readonly W[]): W | undefined {
  const value = valueOf(reader.env, variable)
  if (value === undefined) return undefined
  const word = matching(value, known)
  if (word === undefined)
    reportInvalid(reader.reportDiagnostic, variable, value, `must be one of ${known.join(', ')}; it is ignored`)
  return word
}

/** Returns the known word that matches in any case. If two differ only in case, an exact match takes precedence. */
function matching<W extends string>(value: string, known: readonly W[]): W | undefined {
  const lower = value.toLowerCase()
  return known.find((word) => word === value) ?? known.find((word) => word.toLowerCase() === lower)
}
