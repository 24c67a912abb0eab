/// <reference lib="esnext.disposable" preserve="true" />
import { fdExporter } from '../../exporters/fd/fd-exporter.ts'
import { writeStderrLine } from '../../exporters/stderr.ts'
import { guardedClock } from '../../logger/clock.ts'
import { Levels } from '../../logger/levels.ts'
import type { FlushOptions, FlushResult, Stats } from '../../logger/types.ts'
import { copyOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import { BoundState } from '../../record/bound.ts'
import { emptyScopeDetails } from '../../record/instrumentation-source.ts'
import { timeoutOf } from '../../lifecycle/logger-delivery.ts'
import { openExporters } from '../../lifecycle/open-exporters.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { sdkVersion } from '../../record/sdk-version.ts'
import { Counters } from '../../pipeline/counters.ts'
import { configOf, type LoggerSettings } from './configurator.ts'
import type { FileConfiguration } from '../configuration-file/config-file.ts'
import { withConfigFile } from '../configuration-file/configured-options.ts'
import type { ProviderState, ScopedLogger } from '../api/scoped-logger.ts'
import { baggageReader } from '../api/baggage-selection.ts'
import { startMetrics } from '../api/global-meter-provider.ts'
import { registerGlobally, type Registration } from '../api/globals.ts'
import { createProcessorsOnlyDelivery } from './processors-only.ts'
import { ScopedLoggers } from './scoped-loggers.ts'
import type { Directive } from '../../levels/directive.ts'
import { startLevelSources } from '../../platform/node/level-sources.ts'
import { registerLevelReporter } from './level-reporter.ts'
import { checkedSettings } from './configurator-checks.ts'
import { checkProviderOptions, nestedOptionNames } from './provider-checks.ts'
import type { LoggerProviderOptions } from './provider-options.ts'
import { callAllProcessors } from './provider-processors.ts'
import { createResource } from './provider-resource.ts'
import { withProviderResourceWait } from './wait-for-resource.ts'
import { createWaitShortener } from './resource-readiness.ts'
import type { OtelLoggerOptions, OtelLoggerProvider } from '../api/types.ts'
import { nodePlatform } from '../../platform/node/platform.ts'
import { member } from '../../options/own-members.ts'

/**
 * An OpenTelemetry LoggerProvider that uses this package's pipelines. It is compatible with `@opentelemetry/api` 1.10 and with
 * `@opentelemetry/api-logs`. All methods can be called at any time, also during a flush or shutdown.
 */
export interface LoggerProvider extends OtelLoggerProvider {
  /**
   * Returns the logger of an instrumentation scope: the same logger for the same parameters. After `shutdown` it returns a logger
   * that logs nothing. A name that is empty or not a string returns a working logger and is reported.
   *
   * @param name - the name of the scope
   * @param version - the version of the scope
   * @param options - schema URL and attributes of the scope
   */
  getLogger(name: string, version?: string, options?: OtelLoggerOptions): ScopedLogger
  /**
   * Replaces the configuration of all loggers, including loggers returned before.
   *
   * @param settings - the new configuration, or level directives such as `info,db.*=debug`
   * @throws ConfigurationError when it is invalid; then nothing changes.
   */
  configure(settings: LoggerSettings | string): void
  /**
   * Registers this as the global provider with both API packages. A provider that is already registered is kept, and that is
   * reported.
   */
  register(): Registration
  /**
   * Waits until all records emitted before this call have reached their destinations. Never rejects.
   *
   * @param options - the timeout; by default 5,000 ms
   */
  forceFlush(options?: FlushOptions): Promise<FlushResult>
  /**
   * Writes all records emitted before this call synchronously, without the event loop.
   *
   * @param timeoutMillis - the maximum time in ms; defaults to `exitTimeoutMillis`
   */
  flushSync(timeoutMillis?: number): FlushResult
  /**
   * Removes the registration, flushes, and closes the exporters. Every call returns the result of the first. Records emitted later
   * count as dropped (`shutdown`). Never rejects.
   *
   * @param options - the timeout; by default 5,000 ms
   */
  shutdown(options?: FlushOptions): Promise<FlushResult>
  /** Returns the delivery statistics of all loggers. */
  stats(): Stats
  /** Calls `shutdown()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Creates a LoggerProvider with its own pipelines. Records are redacted, serialized and counted before `emit` returns.
 *
 * @throws ConfigurationError that lists all problems of the options or of `configFile`. Environment variables never cause an error.
 */
export function createLoggerProvider(options: LoggerProviderOptions = {}): LoggerProvider {
  return createConfiguredProvider(options)
}

/**
 * Returns a function that writes diagnostics to stderr. Pipelines keep this function. It is created here, and not inside the provider,
 * because a closure would keep an unused provider from being garbage collected.
 */
function stderrWriter(
  logLevel: Parameters<typeof writeStderrLine>[2],
): (line: string, severity: Parameters<typeof writeStderrLine>[1]) => void {
  return (line, severity) => writeStderrLine(line, severity, logLevel)
}

/**
 * Creates a provider from options, which override a configuration file.
 *
 * @param configuration - the content of the file if it was read already; by default, the file that `options.configFile` names is read
 */
export function createConfiguredProvider(
  options: LoggerProviderOptions,
  configuration?: FileConfiguration,
): LoggerProvider {
  const problems: ConfigurationProblem[] = []
  const given = copyOptions(options, '', problems, nestedOptionNames, {
    'an exporter': 'createLoggerProvider({ exporter })',
    'a string': "createLoggerProvider({ configFile: 'otel.yaml' })",
  })
  const { mergedOptions, fallbackSources, logLevel, warning } = withConfigFile(given, configuration)
  const reportDiagnostic = diagnosticReporter(
    mergedOptions?.onDiagnostic,
    stderrWriter(logLevel),
    nodePlatform.monotonic,
  )
  if (warning !== undefined) reportDiagnostic({ code: 'SLUICE_CONFIG_FILE_IGNORED', message: warning })
  const levels = new Levels()
  const {
    rules,
    exit,
    profileDefaults,
    resource: resourceSettings,
  } = checkProviderOptions(mergedOptions, levels, reportDiagnostic, problems, fallbackSources)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'createLoggerProvider')

  const { resource, resourceReadiness } = createResource(
    resourceSettings,
    reportDiagnostic,
    () => state.revision++,
    rules.redaction.patterns,
  )
  const clock = mergedOptions.clock === undefined ? Date.now : guardedClock(mergedOptions.clock)
  const dropReportScope = { ...emptyScopeDetails, name: 'sluice', version: sdkVersion }
  // For drop reports only: other records have the scope of their own logger.
  const dropReportBound = BoundState.ofSource({ scope: dropReportScope, resource })
  const shortenWait = createWaitShortener([resourceReadiness])
  const { attached: attachedExporters, delivery: exporterDelivery } = openExporters(
    mergedOptions.exporter ?? fdExporter({ fd: profileDefaults.fd }),
    {
      platform: nodePlatform,
      levels,
      bound: dropReportBound,
      clock,
      exit,
      reportDiagnostic,
      profileDefaults,
      decorate: (exporter) => withProviderResourceWait(resourceReadiness, exporter),
      onFlush: shortenWait,
    },
    (attached) => startMetrics(mergedOptions.meterProvider, attached, reportDiagnostic),
  )
  const processorCounters = new Counters()
  const delivery =
    attachedExporters.length > 0 ? exporterDelivery : createProcessorsOnlyDelivery(exporterDelivery, processorCounters)

  const processors = [...(mergedOptions.processors ?? [])]
  let loggerSettings: LoggerSettings = mergedOptions
  startLevelSources(reportDiagnostic)
  const state: ProviderState & { revision: number; levelDirectives: readonly Directive[]; isClosed: boolean } = {
    attachedExporters,
    processorCounters,
    rules,
    resource,
    resourceReadiness,
    clock,
    readBaggage: mergedOptions.baggage === undefined ? undefined : baggageReader(mergedOptions.baggage),
    traceContext: mergedOptions.traceContext !== false,
    processors,
    reportDiagnostic,
    revision: 0,
    levelDirectives: [],
    levelReporter: registerLevelReporter(attachedExporters, clock, rules, dropReportBound),
    isClosed: false,
    configOf: (scope) => configOf(scope, loggerSettings, (why) => reportDiagnostic(configuratorFailed(why))),
  }
  const loggers = new ScopedLoggers(state)
  let registration: Registration | undefined
  /** The result of the first call of `shutdown`. */
  let shutdownResult: Promise<FlushResult> | undefined

  const provider: LoggerProvider = {
    getLogger(name, version, options) {
      if (state.isClosed) return noLogger
      if (typeof name !== 'string' || name === '') reportDiagnostic(scopeUnnamed)
      return loggers.get(name, version, options)
    },
    configure(newSettings) {
      const problems: ConfigurationProblem[] = []
      const { settings, directives } = checkedSettings(newSettings, problems)
      if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'configure')
      loggerSettings = settings
      state.levelDirectives = directives
      state.revision++
    },
    register() {
      if (state.isClosed) return notRegistered
      registration = registerGlobally(provider, reportDiagnostic)
      return registration
    },
    async forceFlush(options) {
      shortenWait(timeoutOf(options))
      const [ok, result] = await Promise.all([
        callAllProcessors(processors, timeoutOf(options), (processor) =>
          member(processor, 'forceFlush')?.call(processor),
        ),
        delivery.flush(options),
      ])
      return { ...result, ok: result.ok && ok }
    },
    flushSync: (timeoutMillis) => delivery.flushSync(timeoutMillis),
    shutdown(options) {
      state.isClosed = true
      registration?.unregister()
      shortenWait(timeoutOf(options))
      shutdownResult ??= Promise.all([
        callAllProcessors(processors, timeoutOf(options), (processor) => processor.shutdown()),
        delivery.shutdown(options),
      ]).then(([ok, result]) => ({ ...result, ok: result.ok && ok }))
      return shutdownResult
    },
    stats: () => delivery.stats(),
    async [Symbol.asyncDispose]() {
      await provider.shutdown()
    },
  }
  return provider
}

/** The logger that `getLogger` returns after shutdown. It logs nothing. */
const noLogger: ScopedLogger = Object.freeze({ emit() {}, enabled: () => false })

/** The result of `register` after shutdown. */
const notRegistered: Registration = Object.freeze({ api: 'unavailable', apiLogs: 'unavailable', unregister() {} })

const scopeUnnamed = {
  code: 'SLUICE_SCOPE_UNNAMED',
  message:
    'getLogger() was called without the name of an instrumentation scope; the logger works, but its scope has no name',
}

const configuratorFailed = (why: string): Parameters<OnDiagnostic>[0] => ({
  code: 'SLUICE_CONFIGURATOR_FAILED',
  message: `the function in loggers failed: ${why}; the default configuration applies to this scope`,
})
