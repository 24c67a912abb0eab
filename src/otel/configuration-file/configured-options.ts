import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import { noRuntime, type ProviderRuntime } from '../provider/provider-checks.ts'
import type { LoggerProviderOptions } from '../provider/provider-options.ts'
import { readConfigFile, type FileConfiguration } from './config-file.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** Options of a provider with those of its configuration file filled in. */
export interface ConfiguredOptions {
  readonly own: LoggerProviderOptions
  readonly surroundings: ProviderRuntime
  /** undefined: `OTEL_LOG_LEVEL` holds. */
  readonly logLevel: DiagnosticLevel | undefined
  readonly warning: string | undefined
}

/**
 * Fills in what a configuration file says: an option that is given replaces the file's. A file that disables the SDK, or has
 * no `logger_provider`, leaves a provider that logs nothing.
 *
 * @param given - the options, which were not checked yet
 * @throws ConfigurationError when the file is wrong.
 */
export function withConfigFile(given: LoggerProviderOptions, file?: FileConfiguration): ConfiguredOptions {
  const path: unknown = member(Object(given) as LoggerProviderOptions, 'configFile')
  const read = file ?? (typeof path === 'string' && path !== '' ? readConfigFile(path, process.env) : undefined)
  if (read === undefined) return { own: given, surroundings: noRuntime, logLevel: undefined, warning: undefined }
  const { provider, logLevel, warning } = read
  if (provider === undefined) {
    const { onDiagnostic } = ownCopy(given)
    const disabled: LoggerProviderOptions = { exporter: [], processors: [], defaultLogger: { enabled: false } }
    const own = ownCopy(onDiagnostic === undefined ? disabled : { ...disabled, onDiagnostic })
    return { own, surroundings: noRuntime, logLevel, warning }
  }
  const { limits, ...options } = ownCopy(provider)
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  const own: LoggerProviderOptions = ownCopy({ ...options, ...Object.fromEntries(set) })
  return { own, surroundings: { env: {}, limits }, logLevel, warning }
}
