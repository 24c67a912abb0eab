/** The severity of a diagnostic of this package. */
export type DiagnosticSeverity = 'error' | 'warn'

/** The severity of the least severe diagnostics that are written to stderr, or `none`. */
export type DiagnosticLevel = 'none' | 'error' | 'warn'

/**
 * The codes of diagnostics after which the logger continues to work, such as those about user code, options and the environment.
 * All other codes are errors, including those of custom exporters.
 */
const warningCodes: ReadonlySet<string> = new Set([
  'SLUICE_ATTRIBUTES_DROPPED',
  'SLUICE_BOLE_HOOK_THREW',
  'SLUICE_BUNYAN_HOOK_THREW',
  'SLUICE_BUNYAN_UNBOUND',
  'SLUICE_CALLBACK_FAILED',
  'SLUICE_CONFIG_FILE_IGNORED',
  'SLUICE_CONFIGURATOR_FAILED',
  'SLUICE_DETECTOR_FAILED',
  'SLUICE_ENV_INVALID',
  'SLUICE_FORMAT_FAILED',
  'SLUICE_PROVIDER_ALREADY_REGISTERED',
  'SLUICE_HANDLER_FAILED',
  'SLUICE_HANDLER_LATE',
  'SLUICE_LEVEL_FILE_FAILED',
  'SLUICE_LEVEL_FILE_INVALID',
  'SLUICE_LINE_MAY_INTERLEAVE',
  'SLUICE_METRICS_FAILED',
  'SLUICE_OPTION_UNSUPPORTED',
  'SLUICE_OTLP_PATH_ADDED',
  'SLUICE_OTLP_RESPONSE',
  'SLUICE_PINO_HOOK_THREW',
  'SLUICE_PROCESSOR_FAILED',
  'SLUICE_RECORDER_NO_TRACE',
  'SLUICE_RECORDS_PENDING',
  'SLUICE_RESOURCE_PENDING',
  'SLUICE_SCOPE_UNNAMED',
])

/** Returns the severity of the diagnostic with a code. */
export function severityOfDiagnostic(code: string): DiagnosticSeverity {
  return warningCodes.has(code) ? 'warn' : 'error'
}

/** Returns whether a diagnostic of this severity is written at a level. */
export function isWrittenAt(level: DiagnosticLevel, severity: DiagnosticSeverity): boolean {
  return level === 'warn' || level === severity
}
