import { copyOptions } from '../../options/own-options.ts'
import { callHook, mustSkipHook } from '../../encode/hooks.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import { standardLevels, type SeverityNumber, type StandardLevel } from '../../record/severity.ts'
import type { OtelScope } from '../api/types.ts'
import { matchesPattern } from '../../levels/name-pattern.ts'
import { membersOf, withoutPrototype } from '../../options/own-members.ts'

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
  /**
   * A list of rules, of which the first match applies, or a function that returns the configuration of a scope. It is called when a logger
   * of the scope is first used, and again after `configure` was called or the resource has changed.
   *
   * @defaultValue none
   */
  readonly loggers?: readonly LoggerRule[] | LoggerConfigurator
  /**
   * The configuration of loggers for which `loggers` has none.
   *
   * @defaultValue the defaults of `LoggerConfig`
   */
  readonly defaultLogger?: LoggerConfig
}

/** A configuration with all defaults applied. */
export interface ResolvedLoggerConfig {
  readonly enabled: boolean
  readonly minimumSeverity: number
  readonly traceBased: boolean
}

/**
 * Returns the configuration of a scope. If a user's function throws or returns an invalid configuration, `onFailure` is called and the
 * default applies.
 *
 * @param settings - settings that were validated before
 */
export function configOf(
  scope: LoggerScope,
  settings: LoggerSettings,
  onFailure: (why: string) => void,
): ResolvedLoggerConfig {
  const { defaultLogger = {}, loggers = [] } = withoutPrototype(settings)
  const defaultConfig = resolvedConfig(defaultLogger, unrestricted)
  if (typeof loggers !== 'function') {
    const rule = loggers.find(({ name }) => matchesPattern(scope.name, name))
    return rule === undefined ? defaultConfig : resolvedConfig(rule, defaultConfig)
  }
  // Loggers that the function itself uses get the default, which prevents infinite recursion.
  if (mustSkipHook(loggers)) return defaultConfig
  try {
    const config = callHook(loggers, () => loggers(scope)) ?? {}
    if (isValidConfig(config)) return resolvedConfig(config, defaultConfig)
    onFailure('it returned an invalid configuration')
  } catch {
    onFailure('it threw')
  }
  return defaultConfig
}

/** The configuration without any setting: all records are logged. */
const unrestricted: ResolvedLoggerConfig = { enabled: true, minimumSeverity: 0, traceBased: false }

/** Returns a configuration with defaults applied. */
function resolvedConfig(config: LoggerConfig, defaults: ResolvedLoggerConfig): ResolvedLoggerConfig {
  const { enabled = defaults.enabled, minimumSeverity, traceBased = defaults.traceBased } = copyOptions(config, '', [])
  const minimum = minimumSeverity === undefined ? defaults.minimumSeverity : parseSeverity(minimumSeverity)!
  return { enabled, minimumSeverity: minimum, traceBased }
}

function isValidConfig(config: unknown): config is LoggerConfig {
  if (typeof config !== 'object' || config === null) return false
  const given = config as Partial<Record<keyof LoggerConfig, unknown>>
  const { enabled, minimumSeverity, traceBased } = membersOf(given, ['enabled', 'minimumSeverity', 'traceBased'])
  const isSeverity = minimumSeverity === undefined || parseSeverity(minimumSeverity) !== undefined
  return isOptionalBoolean(enabled) && isSeverity && isOptionalBoolean(traceBased)
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

/** Returns the severity number of a number from 0 to 24 or of a short name, `trace` to `fatal4`; undefined for anything else. */
export function parseSeverity(severity: unknown): number | undefined {
  if (typeof severity === 'number')
    return Number.isInteger(severity) && severity >= 0 && severity <= 24 ? severity : undefined
  // Other values are not converted to a string: an array may be a proxy of unbounded length, and joining it would not end.
  const [, name, numberInRange = '1'] = (typeof severity === 'string' && /^([a-z]+)([2-4])?$/.exec(severity)) || []
  const range = standardLevels.findIndex((level) => level === name)
  return range < 0 ? undefined : range * 4 + Number(numberInRange)
}
