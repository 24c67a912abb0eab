import { foreignNames, type ForeignNames } from './foreign-names.ts'
import { foreignRedactionRows } from './foreign-redaction-names.ts'

/** Names for `createLoggerProvider`. */
export const foreignProviderOptionNames: ForeignNames = foreignNames([
  ['exporters logRecordExporter logExporter', 'write exporter: otlpExporter(), or an array of exporters'],
  ['logRecordProcessors processor logRecordProcessor', 'write processors'],
  ['serviceName service resourceAttributes attributes', "write resource: { 'service.name': 'shop' }"],
  ['resourceDetectors', 'write detectors'],
  ['logRecordLimits attributeLimits', 'write limits: { attributes: 128, stringLength: 1_000 }'],
  ['forceFlushTimeoutMillis shutdownTimeout', 'write exitTimeoutMillis'],
  ['level minimumSeverity logLevel', "write defaultLogger: { minimumSeverity: 'warn' }"],
  ['traceBased', 'write defaultLogger: { traceBased: true }'],
  ['loggerConfigurator configurator', "write loggers: [{ name: 'noisy.*', enabled: false }]"],
  ['url endpoint protocol headers', "write exporter: otlpExporter({ url: 'http://localhost:4318/v1/logs' })"],
  ['format layout', "write exporter: fdExporter({ format: 'json' })"],
  ['config configPath', 'write configFile'],
  ...foreignRedactionRows,
])

/** Names for the configuration of loggers of a provider. */
export const foreignLoggerConfigNames: ForeignNames = foreignNames([
  ['level minSeverity minimumLevel minLevel severity', "write minimumSeverity: 'warn'"],
  ['disabled silent', 'write enabled: false'],
  ['scope scopeName logger', 'write name'],
])
