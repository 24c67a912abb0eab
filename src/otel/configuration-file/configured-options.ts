import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import { noRuntime, type ProviderRuntime } from '../provider/provider-checks.ts'
import type { LoggerProviderOptions } from '../provider/provider-options.ts'
import { readConfigFile, type FileConfiguration } from './config-file.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** The options of a provider, merged with those of its configuration file. */
export interface ConfiguredOptions {
  readonly own: LoggerProviderOptions
  readonly runtime: ProviderRuntime
  /** undefined when `OTEL_LOG_LEVEL` applies. */
  readonly logLevel: DiagnosticLevel | undefined
  readonly warning: string | undefined
}

/**
 * Merges the options with the configuration file: an option that is set replaces the file's. A file that disables the SDK, or has
 * no `logger_provider`, results in a provider that logs nothing.
 *
 * @param given - the options, not yet validated
 * @throws ConfigurationError when the file is invalid.
 */
export function withConfigFile(given: LoggerProviderOptions, file?: FileConfiguration): ConfiguredOptions {
  const path: unknown = member(Object(given) as LoggerProviderOptions, 'configFile')
  const read = file ?? (typeof path === 'string' && path !== '' ? readConfigFile(path, process.env) : undefined)
  if (read === undefined) return { own: given, runtime: noRuntime, logLevel: undefined, warning: undefined }
  const { provider, logLevel, warning } = read
  if (provider === undefined) {
    const { onDiagnostic } = ownCopy(given)
    const disabled: LoggerProviderOptions = { exporter: [], processors: [], defaultLogger: { enabled: false } }
    const own = ownCopy(onDiagnostic === undefined ? disabled : { ...disabled, onDiagnostic })
    return { own, runtime: noRuntime, logLevel, warning }
  }
  const { limits, ...options } = ownCopy(provider)
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  const own: LoggerProviderOptions = ownCopy({ ...options, ...Object.fromEntries(set) })
  return { own, runtime: { env: {}, limits }, logLevel, warning }
}
