import { resolve } from 'node:path'
import type { Exporter } from '../../pipeline/exporter.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { Environment } from '../../platform/node/variables.ts'
import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import { parseSeverity, type LoggerConfig, type LoggerRule, type LoggerSettings } from '../provider/configurator.ts'
import { readConfigDocument } from './config-document.ts'
import { ConfigSection, type ConfigReport } from './config-section.ts'
import { exporterOfProcessor } from './exporter-config.ts'
import { resourceConfigOf, type ResourceConfig } from './resource-config.ts'

/** The settings for logs in a declarative configuration file. */
export interface FileConfiguration {
  /** The settings of a provider; undefined if the file disables the SDK or has no `logger_provider`. */
  readonly provider: ProviderConfiguration | undefined
  /** The minimum level of this package's diagnostics on stderr. */
  readonly logLevel: DiagnosticLevel
  /** A warning that the file's schema is newer than the implemented one, that parts have no effect, or both; undefined for neither. */
  readonly warning: string | undefined
}

/** The `logger_provider` and the `resource` of a file. */
export interface ProviderConfiguration extends ResourceConfig, LoggerSettings {
  readonly exporter: readonly Exporter[]
  readonly limits: Partial<ResolvedLimits>
}

/** The implemented schema version. All minor versions are accepted; unknown properties are ignored in newer ones. */
const schemaMajor = 1
const schemaMinor = 1

/**
 * Reads the parts of an OpenTelemetry configuration file that concern logs.
 *
 * @param nameIfUnreadable - the name to use in messages if the path is not that of a readable YAML file; defaults to the path
 * @throws ConfigurationError that lists all problems of the file with line and column
 */
export function readConfigFile(path: string, env: Environment, nameIfUnreadable?: string): FileConfiguration {
  const file = resolve(path)
  const report: ConfigReport = { file, isLenient: false, problems: [], ignored: [] }
  const root = ConfigSection.of({ path: '', node: readConfigDocument(file, env, nameIfUnreadable) }, report)
  const configuration = root === undefined ? undefined : configurationOf(root, report, env)
  if (report.problems.length > 0 || configuration === undefined) throw new ConfigurationError(report.problems)
  return configuration
}

function configurationOf(root: ConfigSection, report: ConfigReport, env: Environment): FileConfiguration {
  report.isLenient = isNewerVersion(root)
  const isDisabled = root.flag('disabled') === true
  const logLevel = diagnosticLevels[root.word('log_level', severityNames) ?? 'info']!
  const generalLimits = root.section('attribute_limits')
  const loggerProvider = root.section('logger_provider')
  const resource = resourceConfigOf(root.section('resource'), env)
  const limits = { ...limitsOf(generalLimits), ...limitsOf(loggerProvider?.section('limits')) }
  const provider = loggerProvider === undefined ? undefined : providerOf(loggerProvider, resource, limits)
  // Other properties are not errors: the file may have sections for other signals and for other implementations.
  for (const name of root.names) if (!supportedNames.includes(name)) root.reportIgnored(name)
  const { ignored } = report
  const warnings = [
    ...(report.isLenient ? [`the file follows a newer version of the schema than ${schemaMajor}.${schemaMinor}`] : []),
    ...(ignored.length > 0 ? [`these parts have no effect on logs and are ignored: ${ignored.join(', ')}`] : []),
  ]
  const warning = warnings.length === 0 ? undefined : `${report.file}: ${warnings.join('; ')}`
  return { provider: isDisabled ? undefined : provider, logLevel, warning }
}

/** The properties of the root that have an effect. */
const supportedNames = ['file_format', 'disabled', 'log_level', 'attribute_limits', 'logger_provider', 'resource']

/** Returns whether the file's schema is newer than the implemented one. Reports a version that is not supported. */
function isNewerVersion(root: ConfigSection): boolean {
  root.require('file_format')
  const node = root.item('file_format')?.node
  if (node === undefined) return false
  // Read the text of the scalar, because without quotes its value is a number: 1.0 would become 1.
  const [, major, minor] = (node.kind === 'scalar' && /^(\d{1,4})\.(\d{1,4})(?:-[\w.]+)?$/.exec(node.text)) || []
  if (major === undefined || Number(major) !== schemaMajor) {
    root.reportProblem(
      `must be "${schemaMajor}.0" to "${schemaMajor}.${schemaMinor}", the version of the schema that the file follows`,
      'file_format',
    )
    return false
  }
  return Number(minor) > schemaMinor
}

function providerOf(
  section: ConfigSection,
  resource: ResourceConfig,
  limits: Partial<ResolvedLimits>,
): ProviderConfiguration {
  section.require('processors')
  const processors = section.has('processors') ? (section.sections('processors') ?? []) : []
  const settings = loggersOf(section.section('logger_configurator/development'))
  section.reportUnknown()
  return {
    ...resource,
    ...settings,
    limits,
    exporter: processors.flatMap((processor) => exporterOfProcessor(processor) ?? []),
  }
}

function limitsOf(section: ConfigSection | undefined): Partial<ResolvedLimits> {
  if (section === undefined) return {}
  const attributes = section.integer('attribute_count_limit', 0)
  const stringLength = section.integer('attribute_value_length_limit', 0)
  const depth = section.integer('attribute_value_depth_limit', 1)
  section.reportUnknown()
  return {
    ...(attributes === undefined ? {} : { attributes }),
    ...(stringLength === undefined ? {} : { stringLength }),
    ...(depth === undefined ? {} : { depth }),
  }
}

function loggersOf(section: ConfigSection | undefined): LoggerSettings {
  if (section === undefined) return {}
  const defaultConfig = section.section('default_config')
  const matchers = section.has('loggers') ? (section.sections('loggers') ?? []) : []
  section.reportUnknown()
  const loggers = matchers.flatMap((matcher): LoggerRule[] => {
    matcher.require('name')
    matcher.require('config')
    const name = matcher.string('name')
    const config = matcher.section('config')
    matcher.reportUnknown()
    return name === undefined || config === undefined ? [] : [{ name, ...loggerConfigOf(config) }]
  })
  return { loggers, ...(defaultConfig === undefined ? {} : { defaultLogger: loggerConfigOf(defaultConfig) }) }
}

/** Sets every member: by the schema, a value that is missing in a logger's entry is not inherited from `default_config`. */
function loggerConfigOf(section: ConfigSection): LoggerConfig {
  const config = {
    enabled: section.flag('enabled') ?? true,
    minimumSeverity: section.word('minimum_severity', severityNames) ?? 0,
    traceBased: section.flag('trace_based') ?? false,
  } as LoggerConfig
  section.reportUnknown()
  return config
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const severityNames = levels.flatMap((level) => [level, `${level}2`, `${level}3`, `${level}4`] as const)

/**
 * The level of diagnostics for each `log_level`, as in the official SDK: `fatal` turns diagnostics off. This package's diagnostics are
 * errors and warnings, so levels more verbose than `warn` have the effect of `warn`.
 */
const diagnosticLevels: Readonly<Record<string, DiagnosticLevel>> = Object.fromEntries(
  severityNames.map((name) => {
    const level = levels[Math.floor((parseSeverity(name)! - 1) / 4)]!
    return [name, level === 'fatal' ? 'none' : level === 'error' ? 'error' : 'warn']
  }),
)
