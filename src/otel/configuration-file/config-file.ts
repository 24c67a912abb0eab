import { resolve } from 'node:path'
import type { Exporter } from '../../pipeline/exporter.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { Environment } from '../../platform/node/env.ts'
import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import { severityNumberOf, type LoggerConfig, type LoggerRule, type LoggerSettings } from '../provider/configurator.ts'
import { readConfigDocument } from './config-document.ts'
import { ConfigSection, type ConfigReport } from './config-section.ts'
import { exporterOfProcessor } from './exporter-config.ts'
import { resourceOf, type ResourceConfig } from './resource-config.ts'

/** The settings for logs in a declarative configuration file. */
export interface FileConfiguration {
  /** undefined when the file disables the SDK or has no `logger_provider`. */
  readonly provider: ProviderConfiguration | undefined
  /** The minimum level of this package's diagnostics on stderr. */
  readonly logLevel: DiagnosticLevel
  /**
   * A warning that the file's schema is newer than the implemented one, or that lists the parts without effect; undefined when
   * neither applies.
   */
  readonly warning: string | undefined
}

/** The `logger_provider` and the `resource` of a file. */
export interface ProviderConfiguration extends ResourceConfig, LoggerSettings {
  readonly exporter: readonly Exporter[]
  readonly limits: Partial<ResolvedLimits>
}

/** The implemented schema version. All minor versions are accepted; unknown properties are ignored in newer ones. */
const major = 1
const minor = 1

/**
 * Reads the parts of an OpenTelemetry configuration file that concern logs.
 *
 * @param unread - the name to use in messages when the path is not a readable file; defaults to the path
 * @throws ConfigurationError that lists all problems of the file with line and column.
 */
export function readConfigFile(path: string, env: Environment, unread?: string): FileConfiguration {
  const file = resolve(path)
  const report: ConfigReport = { file, lenient: false, problems: [], ignored: [] }
  const root = ConfigSection.at({ path: '', node: readConfigDocument(file, env, unread) }, report)
  const read = root === undefined ? undefined : configurationOf(root, report, env)
  if (report.problems.length > 0 || read === undefined) throw new ConfigurationError(report.problems)
  return read
}

function configurationOf(root: ConfigSection, report: ConfigReport, env: Environment): FileConfiguration {
  report.lenient = checkVersion(root)
  const isDisabled = root.flag('disabled') === true
  const logLevel = diagnosticLevels[root.word('log_level', severityNames) ?? 'info']!
  const general = root.section('attribute_limits')
  const logger = root.section('logger_provider')
  const resource = resourceOf(root.section('resource'), env)
  const limits = { ...limitsOf(general), ...limitsOf(logger?.section('limits')) }
  const provider = logger === undefined ? undefined : providerOf(logger, resource, limits)
  // The root may have any property: sections of other signals and distributions do not concern logs.
  for (const name of root.names) if (!ownSections.includes(name)) root.ignore(name)
  const { ignored } = report
  const notes = [
    ...(report.lenient ? [`the file follows a newer version of the schema than ${major}.${minor}`] : []),
    ...(ignored.length > 0 ? [`these parts have no effect on logs and are ignored: ${ignored.join(', ')}`] : []),
  ]
  const warning = notes.length === 0 ? undefined : `${report.file}: ${notes.join('; ')}`
  return { provider: isDisabled ? undefined : provider, logLevel, warning }
}

const ownSections = ['file_format', 'disabled', 'log_level', 'attribute_limits', 'logger_provider', 'resource']

/** Returns whether the file's schema is newer than the one that is implemented. */
function checkVersion(root: ConfigSection): boolean {
  root.require('file_format')
  const node = root.node('file_format')?.node
  if (node === undefined) return false
  // Read the source text: without quotes, 1.0 is a number.
  const [, given, minorGiven] = (node.kind === 'scalar' && /^(\d{1,4})\.(\d{1,4})(?:-[\w.]+)?$/.exec(node.text)) || []
  if (given === undefined || Number(given) !== major) {
    root.wrong(
      `must be "${major}.0" to "${major}.${minor}", the version of the schema that the file follows`,
      'file_format',
    )
    return false
  }
  return Number(minorGiven) > minor
}

function providerOf(
  section: ConfigSection,
  resource: ResourceConfig,
  limits: Partial<ResolvedLimits>,
): ProviderConfiguration {
  section.require('processors')
  const processors = section.has('processors') ? (section.sections('processors') ?? []) : []
  const settings = loggersOf(section.section('logger_configurator/development'))
  section.finish()
  return { ...resource, ...settings, limits, exporter: processors.flatMap((one) => exporterOfProcessor(one) ?? []) }
}

function limitsOf(section: ConfigSection | undefined): Partial<ResolvedLimits> {
  if (section === undefined) return {}
  const attributes = section.integer('attribute_count_limit', 0)
  const stringLength = section.integer('attribute_value_length_limit', 0)
  const depth = section.integer('attribute_value_depth_limit', 1)
  section.finish()
  return {
    ...(attributes === undefined ? {} : { attributes }),
    ...(stringLength === undefined ? {} : { stringLength }),
    ...(depth === undefined ? {} : { depth }),
  }
}

function loggersOf(section: ConfigSection | undefined): LoggerSettings {
  if (section === undefined) return {}
  const defaults = section.section('default_config')
  const matchers = section.has('loggers') ? (section.sections('loggers') ?? []) : []
  section.finish()
  const loggers = matchers.flatMap((matcher): LoggerRule[] => {
    matcher.require('name')
    matcher.require('config')
    const name = matcher.string('name')
    const config = matcher.section('config')
    matcher.finish()
    return name === undefined || config === undefined ? [] : [{ name, ...loggerConfigOf(config) }]
  })
  return { loggers, ...(defaults === undefined ? {} : { defaultLogger: loggerConfigOf(defaults) }) }
}

/** Sets every member: by the schema, values omitted from a logger's entry are not inherited from `default_config`. */
function loggerConfigOf(section: ConfigSection): LoggerConfig {
  const config = {
    enabled: section.flag('enabled') ?? true,
    minimumSeverity: section.word('minimum_severity', severityNames) ?? 0,
    traceBased: section.flag('trace_based') ?? false,
  } as LoggerConfig
  section.finish()
  return config
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const severityNames = levels.flatMap((level) => [level, `${level}2`, `${level}3`, `${level}4`] as const)

/**
 * Maps `log_level` as the official SDK does. This package's diagnostics are errors and warnings, so levels more verbose than `warn`
 * are equivalent to it.
 */
const diagnosticLevels: Readonly<Record<string, DiagnosticLevel>> = Object.fromEntries(
  severityNames.map((name) => {
    const level = levels[Math.floor((severityNumberOf(name)! - 1) / 4)]!
    return [name, level === 'fatal' ? 'none' : level === 'error' ? 'error' : 'warn']
  }),
)
