import type { DiagnosticLevel } from '../../lifecycle/diagnostic-levels.ts'
import { sourcesWithoutFile, type FallbackSources } from '../provider/provider-checks.ts'
import type { LoggerProviderOptions } from '../provider/provider-options.ts'
import { readConfigFile, type FileConfiguration } from './config-file.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** The options of a provider, merged with those of its configuration file. */
export interface ConfiguredOptions {
  readonly mergedOptions: LoggerProviderOptions
  /**
   * Where limits and other values that no option sets come from: from the file if it configures the provider, else from the environment.
   * The limits of the file are here and not in `mergedOptions`, because each limit is replaced separately by an option.
   */
  readonly fallbackSources: FallbackSources
  /** The minimum level of diagnostics on stderr; undefined if `OTEL_LOG_LEVEL` determines it. */
  readonly logLevel: DiagnosticLevel | undefined
  /** A warning to report; undefined without one. */
  readonly warning: string | undefined
}

/**
 * Merges the options with the configuration file, if there is one: an option that is set replaces the file's. If the file disables the
 * SDK or has no `logger_provider`, the result is the options of a provider that logs nothing, with `onDiagnostic` as the only option of
 * `given`.
 *
 * @param given - the options, not yet validated
 * @param configuration - the content of a configuration file that was read already; by default, `given.configFile`
 * is read if it is set
 * @throws ConfigurationError if the file is invalid
 */
export function withConfigFile(given: LoggerProviderOptions, configuration?: FileConfiguration): ConfiguredOptions {
  const path: unknown = member(Object(given) as LoggerProviderOptions, 'configFile')
  const fileConfiguration =
    configuration ?? (typeof path === 'string' && path !== '' ? readConfigFile(path, process.env) : undefined)
  if (fileConfiguration === undefined)
    return { mergedOptions: given, fallbackSources: sourcesWithoutFile, logLevel: undefined, warning: undefined }
  const { provider, logLevel, warning } = fileConfiguration
  if (provider === undefined) {
    const { onDiagnostic } = withoutPrototype(given)
    const disablingOptions: LoggerProviderOptions = { exporter: [], processors: [], defaultLogger: { enabled: false } }
    const mergedOptions = withoutPrototype(
      onDiagnostic === undefined ? disablingOptions : { ...disablingOptions, onDiagnostic },
    )
    return { mergedOptions, fallbackSources: sourcesWithoutFile, logLevel, warning }
  }
  const { limits, ...fileOptions } = withoutPrototype(provider)
  const definedEntries = Object.entries(given).filter(([, value]) => value !== undefined)
  const mergedOptions: LoggerProviderOptions = withoutPrototype({
    ...fileOptions,
    ...Object.fromEntries(definedEntries),
  })
  return { mergedOptions, fallbackSources: { env: {}, limits }, logLevel, warning }
}
