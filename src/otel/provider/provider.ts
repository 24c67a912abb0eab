/// <reference lib="esnext.disposable" preserve="true" />
import { fdExporter } from '../../exporters/fd/fd-exporter.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import { guardedClock } from '../../logger/clock.ts'
import { Levels } from '../../logger/levels.ts'
import type { FlushOptions, FlushResult, Stats } from '../../logger/types.ts'
import { ownOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../../options/configuration-error.ts'
import { BoundState, originOf } from '../../record/bound.ts'
import { nothingMore } from '../../record/record.ts'
import { loggerDelivery, timeoutOf } from '../../lifecycle/logger-delivery.ts'
import { attachExporters } from '../../lifecycle/attached-exporters.ts'
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
import { settlingResource } from './provider-resource.ts'
import { waitForResource } from './wait-for-resource.ts'
import { shortenWaitForFlush } from './resource-readiness.ts'
import type { OtelLoggerOptions, OtelLoggerProvider } from '../api/types.ts'
import { nodePlatform } from '../../platform/node/platform.ts'
import { member } from '../../options/own-members.ts'

/**
 * An OpenTelemetry LoggerProvider over this package's pipelines. It fits both lines of the API: `@opentelemetry/api` 1.10
 * and `@opentelemetry/api-logs`. All of it is safe to call at any time, also while a flush or the shutdown runs (CON1).
 */
export interface LoggerProvider extends OtelLoggerProvider {
  /**
   * The logger of a scope: the same one for the same parameters (API1). After `shutdown` it logs nothing (SDK4). A name that
   * is empty or no text makes a working logger, and is told (SDK2).
   */
  getLogger(name: string, version?: string, options?: OtelLoggerOptions): ScopedLogger
  /**
   * Replaces the configuration of all loggers, those handed out before included (SDK3, SDK6).
   *
   * @throws ConfigurationError when it is wrong; then nothing changes.
   */
  configure(settings: LoggerSettings): void
  /** Makes this the global provider of both lines. Whoever is registered already stays, and that is told. */
  register(): Registration
  /** Waits until what was emitted so far has reached its destinations, by default at most 5 s (SDK5). Never rejects. */
  forceFlush(options?: FlushOptions): Promise<FlushResult>
  /** Writes what was emitted so far without the event loop, for at most `deadlineMillis` (default: `exitTimeoutMillis`). */
  flushSync(deadlineMillis?: number): FlushResult
  /**
   * Undoes the registration, flushes, and closes the exporters, by default in 5 s at most; every call gets the answer of the
   * first (SDK4). Later records count as dropped (`shutdown`). Never rejects.
   */
  shutdown(options?: FlushOptions): Promise<FlushResult>
  /** What became of the records of all loggers. */
  stats(): Stats
  /** `shutdown()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Makes a LoggerProvider that owns its pipelines. What is emitted is redacted, rendered and counted before `emit` returns.
 *
 * @throws ConfigurationError with every problem of the options, or of `configFile`. The environment never makes it throw.
 */
export function createLoggerProvider(options: LoggerProviderOptions = {}): LoggerProvider {
  return createConfiguredProvider(options)
}

/** Writes diagnostics to stderr. Not a closure of the provider: pipelines hold it, and would keep a dropped provider alive. */
function stderrWriter(
  logLevel: Parameters<typeof stderrLine>[2],
): (line: string, severity: Parameters<typeof stderrLine>[1]) => void {
  return (line, severity) => stderrLine(line, severity, logLevel)
}

/** Creates a provider from options, over a configuration file: `file`, or the one that `options.configFile` names. */
export function createConfiguredProvider(options: LoggerProviderOptions, file?: FileConfiguration): LoggerProvider {
  const problems: ConfigurationProblem[] = []
  const given = ownOptions(options, '', problems, optionBags)
  const { own, surroundings, logLevel, warning } = withConfigFile(given, file)
  const reportDiagnostic = diagnosticReporter(own?.onDiagnostic, stderrWriter(logLevel), nodePlatform.monotonic)
  if (warning !== undefined) reportDiagnostic({ code: 'SLUICE_CONFIG_FILE_IGNORED', message: warning })
  const levels = new Levels()
  const {
    rules,
    exit,
    profile,
    resource: settings,
  } = checkProviderOptions(own, levels, reportDiagnostic, problems, surroundings)
  if (problems.length > 0) throw new ConfigurationError(problems)

  const { resource, settlement } = settlingResource(
    settings,
    reportDiagnostic,
    () => shared.epoch++,
    rules.redaction.patterns,
  )
  const clock = own.clock === undefined ? Date.now : guardedClock(own.clock)
  const bound = BoundState.of(originOf({ scope: { ...nothingMore, name: 'sluice', version: sdkVersion }, resource }))
  const hurry = shortenWaitForFlush([settlement])
  const attached = attachExporters(own.exporter ?? fdExporter({ fd: profile.fd }), {
    platform: nodePlatform,
    levels,
    bound,
    clock,
    exit,
    reportDiagnostic,
    profile,
    decorate: (exporter) => waitForResource(settlement, exporter),
    flushing: hurry,
  })
  const measured = measureWith(own.meterProvider, attached, reportDiagnostic)
  const ownDelivery = loggerDelivery(nodePlatform, attached, exit.exitTimeoutMillis, measured)
  const processed = new Counters()
  const delivery = attached.length > 0 ? ownDelivery : processorsOnlyDelivery(ownDelivery, processed)

  const processors = [...(own.processors ?? [])]
  let loggerSettings: LoggerSettings = own
  const shared: EmitSettings & { epoch: number; closed: boolean } = {
    attached,
    processed,
    rules,
    resource,
    settlement,
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
      if (problems.length > 0) throw new ConfigurationError(problems)
      loggerSettings = settings
      shared.epoch++
    },
    register() {
      if (shared.closed) return notRegistered
      registration = registerGlobally(provider, reportDiagnostic)
      return registration
    },
    async forceFlush(options) {
      hurry(millisOf(options))
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
      hurry(millisOf(options))
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

/** Says nothing (API8). */
const noLogger: ScopedLogger = Object.freeze({ emit() {}, enabled: () => false })

const notRegistered: Registration = Object.freeze({ api: 'unavailable', apiLogs: 'unavailable', unregister() {} })

function millisOf(options: FlushOptions | undefined): number {
  return timeoutOf(options)
}

const unnamed = {
  code: 'SLUICE_SCOPE_UNNAMED',
  message:
    'a logger was asked for without the name of an instrumentation scope; it works, but nobody can tell whose it is',
}

const configuratorFailed = (why: string): Parameters<OnDiagnostic>[0] => ({
  code: 'SLUICE_CONFIGURATOR_FAILED',
  message: `the function that configures loggers failed: ${why}; the default holds for this scope`,
})
