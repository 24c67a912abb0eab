import { profileNames, type Profile } from '../../lifecycle/profiles.ts'
import { layoutNames, type LayoutName } from '../../encode/json/layout-bases.ts'
import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { standardLevels } from '../../record/severity.ts'

/** The variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What the environment says; undefined where it says nothing (an empty variable is unset), or nothing valid. */
export interface EnvironmentSettings {
  /** `SLUICE_LEVEL`, else `LOG_LEVEL`: the name of a level of this logger, or `silent`. */
  readonly level: string | undefined
  /** `AWS_LAMBDA_LOG_LEVEL`: what is set for the function. */
  readonly lambdaLevel: string | undefined
  /** `SLUICE_PROFILE`, else `lambda` where AWS Lambda says which function this is. */
  readonly profile: Profile | undefined
  /** `SLUICE_FORMAT`. */
  readonly format: 'auto' | 'json' | 'pretty' | 'otlpJson' | undefined
  /** `SLUICE_LAYOUT`. */
  readonly layout: LayoutName | undefined
  /** `SLUICE_CONSOLE`: what `sluice/register` makes of the console. */
  readonly console: 'passthrough' | 'records' | undefined
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean
}

/**
 * Reads the variables of this package. Words are taken in any case. A wrong value is told as `SLUICE_ENV_INVALID`, once
 * for each variable and value (never without `tell`), and counts as unset. Never throws. `levels` are the logger's own.
 */
export function readEnvironment(
  reportDiagnostic: OnDiagnostic | undefined,
  levels: readonly string[] = [],
  env: Environment = process.env,
): EnvironmentSettings {
  const reader = { env, reportDiagnostic }
  // With a configuration file OTEL_LOG_LEVEL does not apply, so that nothing is wrong with it.
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

/** What kind of program the environment says that this is, and nothing else of it. Never throws. */
export function environmentProfile(
  reportDiagnostic: OnDiagnostic | undefined,
  env: Environment = process.env,
): Profile | undefined {
  const reader = { env, reportDiagnostic }
  return wordOf(reader, 'SLUICE_PROFILE', profileNames) ?? profileFoundIn(env)
}

/** The path of an OpenTelemetry configuration file. The second variable is the deprecated name of the first. */
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

/** Tells that a variable is wrong, unless that was told before: createLogger may run many times in a process. */
export function reportInvalid(
  reportDiagnostic: OnDiagnostic | undefined,
  variable: string,
  value: string,
  message: string,
): void {
  const subject = `${variable}=${value}`
  if (reportDiagnostic === undefined || reportedVariables.has(subject) || reportedVariables.size >= mostTold) return
  reportedVariables.add(subject)
  try {
    reportDiagnostic({ code: 'SLUICE_ENV_INVALID', message: `${variable} ${message}` })
  } catch {
    // The application's own callback: nothing that the environment says may throw.
  }
}

/** A variable's value; undefined when it is unset, empty or blank. Never throws. */
export function valueOf(env: Environment, variable: string): string | undefined {
  try {
    // Its own: process.env inherits from Object.prototype.
    const value: unknown = Object.hasOwn(env, variable) ? env[variable] : undefined
    const trimmed = typeof value === 'string' ? value.trim() : ''
    return trimmed === '' ? undefined : trimmed
  } catch {
    return undefined // Deno without the permission to read it
  }
}

const reportedVariables = new Set<string>()
const mostTold = 100

interface Reader {
  readonly env: Environment
  readonly reportDiagnostic: OnDiagnostic | undefined
}

/**
 * What other systems call the levels (OpenTelemetry logs data model, appendix B, and the levels of npm and syslog): each
 * stands for the level of its severity range (SEV5), so that a threshold never hides more than its writer meant.
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
    reportInvalid(reader.reportDiagnostic, variable, value, `is not a level; levels are ${known.join(', ')}`)
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

/** The word as it is written; where two differ in case only, the one that is meant exactly. */
function matching<W extends string>(value: string, known: readonly W[]): W | undefined {
  const lower = value.toLowerCase()
  return known.find((word) => word === value) ?? known.find((word) => word.toLowerCase() === lower)
}
