import { ownOptions } from '../../options/own-options.ts'
import { callHook, hookIsRunning } from '../../encode/hooks.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import { standardLevels, type SeverityNumber, type StandardLevel } from '../../record/severity.ts'
import type { OtelScope } from '../api/types.ts'
import { membersOf, ownCopy } from '../../options/own-members.ts'

/** How the loggers of a scope behave. What is left out is that of `defaultLogger`, else what is said here. */
export interface LoggerConfig {
  /** false: its loggers say nothing, and `enabled()` answers so. Default true (SDK6). */
  readonly enabled?: boolean
  /**
   * The least severe record that passes: a severity number, or its short name, `trace` to `fatal4`. Records without a
   * severity always pass (SDK7). Default 0: all do.
   */
  readonly minimumSeverity?: SeverityNumber | SeverityName
  /** true: records of spans that are not sampled are left out; those of no span pass (SDK8). Default false. */
  readonly traceBased?: boolean
}

/** The short name of a severity number, as the declarative configuration writes it. */
export type SeverityName = StandardLevel | `${StandardLevel}${2 | 3 | 4}`

/** A configuration for the scopes of some names. */
export interface LoggerRule extends LoggerConfig {
  /** The scope's name, or a pattern: `*` stands for any text, `?` for one character. Case counts. */
  readonly name: string
}

/** Who asks for a logger. */
export interface LoggerScope extends OtelScope {
  /** The attributes of the scope; undefined: none. */
  readonly attributes?: AnyValueMap
}

/** Says how the loggers of a scope behave. undefined: as `defaultLogger` says. */
export type LoggerConfigurator = (scope: LoggerScope) => LoggerConfig | undefined

/** Which loggers behave how. `LoggerProvider.configure` changes all of it at once. */
export interface LoggerSettings {
  /** Rules, of which the first one that matches counts, or a function that is asked once for each scope. */
  readonly loggers?: readonly LoggerRule[] | LoggerConfigurator
  /** How loggers behave where nothing else is said. */
  readonly defaultLogger?: LoggerConfig
}

/** A configuration with every choice made. */
export interface ResolvedLoggerConfig {
  readonly enabled: boolean
  readonly minimumSeverity: number
  readonly traceBased: boolean
}

/**
 * The configuration of a scope. The settings were checked; what a function of the user's throws or says wrong is told, and
 * the default holds.
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
  // What the function logs itself is configured by the default: else that would have no end.
  if (hookIsRunning(loggers)) return standard
  try {
    const config = callHook(loggers, () => loggers(scope)) ?? {}
    if (isConfig(config)) return resolved(config, standard)
    failed('its answer is no configuration')
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

/** The number of a severity that is given as a number from 0 to 24 or by its short name; undefined: it is neither. */
export function severityNumberOf(severity: unknown): number | undefined {
  if (typeof severity === 'number')
    return Number.isInteger(severity) && severity >= 0 && severity <= 24 ? severity : undefined
  // Of anything else no text is made: an array can be a proxy of any length, and joining it would not end.
  const [, name, step = '1'] = (typeof severity === 'string' && /^([a-z]+)([2-4])?$/.exec(severity)) || []
  const range = standardLevels.findIndex((level) => level === name)
  return range < 0 ? undefined : range * 4 + Number(step)
}

/**
 * Whether a name fits a pattern. Each `*` takes as little as it can, and only the last one is ever widened: what an earlier
 * one takes more, the later one could take as well. So the time is bounded by the product of the lengths.
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
