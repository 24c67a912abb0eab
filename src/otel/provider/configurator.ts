import { ownOptions } from '../../options/own-options.ts'
import { callHook, isHookRunning } from '../../encode/hooks.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import { standardLevels, type SeverityNumber, type StandardLevel } from '../../record/severity.ts'
import type { OtelScope } from '../api/types.ts'
import { membersOf, ownCopy } from '../../options/own-members.ts'

/** The configuration of the loggers of a scope. Omitted properties come from `defaultLogger`, else from the defaults below. */
export interface LoggerConfig {
  /**
   * Whether the loggers log records. When false, `enabled()` returns false.
   *
   * @defaultValue true
   */
  readonly enabled?: boolean
  /**
   * The minimum severity of records: a severity number, or its short name, `trace` to `fatal4`. Records without a severity are
   * always logged.
   *
   * @defaultValue 0: all records
   */
  readonly minimumSeverity?: SeverityNumber | SeverityName
  /**
   * Whether records of unsampled spans are dropped. Records without a span are always logged.
   *
   * @defaultValue false
   */
  readonly traceBased?: boolean
}

/** The short name of a severity number, as used in OpenTelemetry's declarative configuration. */
export type SeverityName = StandardLevel | `${StandardLevel}${2 | 3 | 4}`

/** A configuration for scopes whose name matches. */
export interface LoggerRule extends LoggerConfig {
  /** The name of the scope, or a pattern: `*` matches any text, `?` one character. Matching is case-sensitive. */
  readonly name: string
}

/** The instrumentation scope for which a logger is requested. */
export interface LoggerScope extends OtelScope {
  /** The attributes of the scope, if any. */
  readonly attributes?: AnyValueMap
}

/** Returns the configuration of the loggers of a scope; undefined means that of `defaultLogger`. */
export type LoggerConfigurator = (scope: LoggerScope) => LoggerConfig | undefined

/** The configuration of all loggers. `LoggerProvider.configure` replaces all of it at once. */
export interface LoggerSettings {
  /** A list of rules, of which the first match applies, or a function that is called once for each scope. */
  readonly loggers?: readonly LoggerRule[] | LoggerConfigurator
  /** The configuration of loggers for which `loggers` has none. */
  readonly defaultLogger?: LoggerConfig
}

/** A configuration with all defaults applied. */
export interface ResolvedLoggerConfig {
  readonly enabled: boolean
  readonly minimumSeverity: number
  readonly traceBased: boolean
}

/**
 * Returns the configuration of a scope. The settings are already validated. When a user's function throws or returns an invalid
 * configuration, this is reported and the default applies.
 */
export function configOf(
  scope: LoggerScope,
  settings: LoggerSettings,
  failed: (why: string) => void,
): ResolvedLoggerConfig {
  const { defaultLogger = {}, loggers = [] } = ownCopy(settings)
  const standard = resolved(defaultLogger, all)
  if (typeof loggers !== 'function') {
    const rule = loggers.find(({ name }) => matchesPattern(scope.name, name))
    return rule === undefined ? standard : resolved(rule, standard)
  }
  // Loggers that the function itself uses get the default, which prevents infinite recursion.
  if (isHookRunning(loggers)) return standard
  try {
    const config = callHook(loggers, () => loggers(scope)) ?? {}
    if (isConfig(config)) return resolved(config, standard)
    failed('it returned an invalid configuration')
  } catch {
    failed('it threw')
  }
  return standard
}

const all: ResolvedLoggerConfig = { enabled: true, minimumSeverity: 0, traceBased: false }

function resolved(config: LoggerConfig, standard: ResolvedLoggerConfig): ResolvedLoggerConfig {
  const { enabled = standard.enabled, minimumSeverity, traceBased = standard.traceBased } = ownOptions(config, '', [])
  const minimum = minimumSeverity === undefined ? standard.minimumSeverity : severityNumberOf(minimumSeverity)!
  return { enabled, minimumSeverity: minimum, traceBased }
}

function isConfig(config: unknown): config is LoggerConfig {
  if (typeof config !== 'object' || config === null) return false
  const given = config as Partial<Record<keyof LoggerConfig, unknown>>
  const { enabled, minimumSeverity, traceBased } = membersOf(given, ['enabled', 'minimumSeverity', 'traceBased'])
  const isSeverity = minimumSeverity === undefined || severityNumberOf(minimumSeverity) !== undefined
  return isFlag(enabled) && isSeverity && isFlag(traceBased)
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

/** Returns the number of a severity given as a number from 0 to 24 or as a short name; undefined for anything else. */
export function severityNumberOf(severity: unknown): number | undefined {
  if (typeof severity === 'number')
    return Number.isInteger(severity) && severity >= 0 && severity <= 24 ? severity : undefined
  // Do not convert other values to a string: an array may be a proxy of unbounded length, and joining it would not end.
  const [, name, step = '1'] = (typeof severity === 'string' && /^([a-z]+)([2-4])?$/.exec(severity)) || []
  const range = standardLevels.findIndex((level) => level === name)
  return range < 0 ? undefined : range * 4 + Number(step)
}

/**
 * Returns whether a name matches a pattern. Each `*` first matches as little as possible, and only the last `*` is extended,
 * because it can match anything that an earlier one could. The time is therefore bounded by the product of the lengths.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  let at = 0
  let next = 0
  let star = -1
  let taken = 0
  while (at < name.length) {
    if (pattern[next] === '*') {
      star = next++
      taken = at
    } else if (pattern[next] === '?' || pattern[next] === name[at]) {
      at++
      next++
    } else if (star >= 0) {
      at = ++taken
      next = star + 1
    } else return false
  }
  while (pattern[next] === '*') next++
  return next === pattern.length
}
