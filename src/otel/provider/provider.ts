/// <reference lib="esnext.disposable" preserve="true" />
import { fdExporter } from '../../exporters/fd/fd-exporter.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import { guardedClock } from '../../logger/clock.ts'
import { Levels } from '../../logger/levels.ts'
import type { FlushOptions, FlushResult, Stats } from '../../logger/types.ts'
import { ownOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import { BoundState } from '../../record/bound.ts'
import { emptyScopeDetails } from '../../record/instrumentation-source.ts'
import { timeoutOf } from '../../lifecycle/logger-delivery.ts'
import { openExporters } from '../../lifecycle/open-exporters.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { sdkVersion } from '../../record/sdk.ts'
import { Counters } from '../../pipeline/counters.ts'
import { configOf, type LoggerSettings } from './configurator.ts'
import type { FileConfiguration } from '../configuration-file/config-file.ts'
import { withConfigFile } from '../configuration-file/configured-options.ts'
import type { EmitSettings, ScopedLogger } from '../api/emit.ts'
import { measureWith } from '../api/global-meter-provider.ts'
import { registerGlobally, type Registration } from '../api/globals.ts'
import { processorsOnlyDelivery } from './processors-only.ts'
import { ScopedLoggers } from './provider-loggers.ts'
import { checkedSettings } from './configurator-checks.ts'
import { checkProviderOptions, optionBags } from './provider-checks.ts'
import type { LoggerProviderOptions } from './provider-options.ts'
import { allProcessors } from './provider-processors.ts'
import { createResource } from './provider-resource.ts'
import { waitForResource } from './wait-for-resource.ts'
import { shortenWaitForFlush } from './resource-readiness.ts'
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
   * @param settings - the new configuration
   * @throws ConfigurationError when it is invalid; then nothing changes.
   */
  configure(settings: LoggerSettings): void
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
   * @param deadlineMillis - the maximum time in ms; defaults to `exitTimeoutMillis`
   */
  flushSync(deadlineMillis?: number): FlushResult
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
 * Returns a function that writes diagnostics to stderr. It is not a closure of the provider, because pipelines hold it and would
 * keep an unused provider alive.
 */
function stderrWriter(
  logLevel: Parameters<typeof stderrLine>[2],
): (line: string, severity: Parameters<typeof stderrLine>[1]) => void {
  return (line, severity) => stderrLine(line, severity, logLevel)
}

/** Creates a provider from options that override a configuration file: `file`, or the one that `options.configFile` names. */
export function createConfiguredProvider(options: LoggerProviderOptions, file?: FileConfiguration): LoggerProvider {
  const problems: ConfigurationProblem[] = []
  const given = ownOptions(options, '', problems, optionBags)
  const { own, runtime, logLevel, warning } = withConfigFile(given, file)
  const reportDiagnostic = diagnosticReporter(own?.onDiagnostic, stderrWriter(logLevel), nodePlatform.monotonic)
  if (warning !== undefined) reportDiagnostic({ code: 'SLUICE_CONFIG_FILE_IGNORED', message: warning })
  const levels = new Levels()
  const {
    rules,
    exit,
    profile,
    resource: settings,
  } = checkProviderOptions(own, levels, reportDiagnostic, problems, runtime)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'createLoggerProvider')

  const { resource, resourceReadiness } = createResource(
    settings,
    reportDiagnostic,
    () => shared.epoch++,
    rules.redaction.patterns,
  )
  const clock = own.clock === undefined ? Date.now : guardedClock(own.clock)
  const scope = { ...emptyScopeDetails, name: 'sluice', version: sdkVersion }
  const bound = BoundState.ofSource({ scope, resource })
  const shortenWait = shortenWaitForFlush([resourceReadiness])
  const { attached, delivery: ownDelivery } = openExporters(
    own.exporter ?? fdExporter({ fd: profile.fd }),
    {
      platform: nodePlatform,
      levels,
      bound,
      clock,
      exit,
      reportDiagnostic,
      profile,
      decorate: (exporter) => waitForResource(resourceReadiness, exporter),
      onFlush: shortenWait,
    },
    (attached) => measureWith(own.meterProvider, attached, reportDiagnostic),
  )
  const processed = new Counters()
  const delivery = attached.length > 0 ? ownDelivery : processorsOnlyDelivery(ownDelivery, processed)

  const processors = [...(own.processors ?? [])]
  let loggerSettings: LoggerSettings = own
  const shared: EmitSettings & { epoch: number; closed: boolean } = {
    attached,
    processed,
    rules,
    resource,
    resourceReadiness,
    clock,
    traceContext: own.traceContext !== false,
    processors,
    reportDiagnostic,
    epoch: 0,
    closed: false,
    configOf: (scope) => configOf(scope, loggerSettings, (why) => reportDiagnostic(configuratorFailed(why))),
  }
  const loggers = new ScopedLoggers(shared)
  let registration: Registration | undefined
  let closing: Promise<FlushResult> | undefined

  const provider: LoggerProvider = {
    getLogger(name, version, options) {
      if (shared.closed) return noLogger
      if (typeof name !== 'string' || name === '') reportDiagnostic(unnamed)
      return loggers.get(name, version, options)
    },
    configure(given) {
      const { settings, problems } = checkedSettings(given)
      if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'configure')
      loggerSettings = settings
      shared.epoch++
    },
    register() {
      if (shared.closed) return notRegistered
      registration = registerGlobally(provider, reportDiagnostic)
      return registration
    },
    async forceFlush(options) {
      shortenWait(millisOf(options))
      const [ok, result] = await Promise.all([
        allProcessors(processors, millisOf(options), (processor) => member(processor, 'forceFlush')?.call(processor)),
        delivery.flush(options),
      ])
      return { ...result, ok: result.ok && ok }
    },
    flushSync: (deadlineMillis) => delivery.flushSync(deadlineMillis),
    shutdown(options) {
      shared.closed = true
      registration?.unregister()
      shortenWait(millisOf(options))
      closing ??= Promise.all([
        allProcessors(processors, millisOf(options), (processor) => processor.shutdown()),
        delivery.shutdown(options),
      ]).then(([ok, result]) => ({ ...result, ok: result.ok && ok }))
      return closing
    },
    stats: () => delivery.stats(),
    async [Symbol.asyncDispose]() {
      await provider.shutdown()
    },
  }
  return provider
}

/** A logger that logs nothing, for use after shutdown (API8). */
const noLogger: ScopedLogger = Object.freeze({ emit() {}, enabled: () => false })

const notRegistered: Registration = Object.freeze({ api: 'unavailable', apiLogs: 'unavailable', unregister() {} })

function millisOf(options: FlushOptions | undefined): number {
  return timeoutOf(options)
}

const unnamed = {
  code: 'SLUICE_SCOPE_UNNAMED',
  message:
    'getLogger() was called without the name of an instrumentation scope; the logger works, but its scope has no name',
}

const configuratorFailed = (why: string): Parameters<OnDiagnostic>[0] => ({
  code: 'SLUICE_CONFIGURATOR_FAILED',
  message: `the function in loggers failed: ${why}; the default configuration applies to this scope`,
})
