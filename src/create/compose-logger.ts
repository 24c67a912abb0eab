import { pinoChildAdapter } from '../compat/pino/child-adapter.ts'
import { reportMisplacedPaths } from '../redact/path-hints.ts'
import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { Resolver } from '../encode/walk/resolve.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { measure, type AttachSettings } from '../lifecycle/attached-exporters.ts'
import { openExporters } from '../lifecycle/open-exporters.ts'
import type { DiagnosticSeverity } from '../lifecycle/diagnostic-levels.ts'
import type { Platform } from '../lifecycle/platform.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import type { ProfileDefaults } from '../lifecycle/profiles.ts'
import { HandlerGuard } from '../handler/handler-guard.ts'
import { captureRecords, type CaptureRecords } from '../handler/record-capture.ts'
import { encodingHandler } from '../handler/encoding-handler.ts'
import { enrichHandler } from '../handler/enrich.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { traceBasedHandler } from '../handler/trace-based.ts'
import type { ContextAttributes } from '../logger/bound.ts'
import { guardedClock } from '../logger/clock.ts'
import type { LoggerCore } from '../logger/logger-core.ts'
import { Levels } from '../logger/levels.ts'
import { recordEmitter, type EmitRecord } from '../logger/emit.ts'
import { rootLogger } from '../logger/logger.ts'
import type { LoggerOptions, RootLogger } from '../logger/types.ts'
import { checkLoggerOptions, optionBags, type CheckedOptions, type LoggerEnvironment } from './logger-options.ts'
import { activeSpanContext, spanContextIn } from '../otel/api/span-context.ts'
import type { OtelContext } from '../otel/api/types.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { Counters } from '../pipeline/counters.ts'
import type { OptionSchema } from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem, type OnDiagnostic } from '../options/configuration-error.ts'
import { BoundState, type BoundOrigin } from '../record/bound.ts'
import { emptyScopeDetails, type Resource } from '../record/instrumentation-source.ts'
import type { Rules } from '../values/record-rules.ts'

/** The runtime services of a logger. */
export interface LoggerRuntime {
  readonly platform: Platform
  /** The supported options with their checks. */
  readonly schema: OptionSchema
  /** Fallback for diagnostics when there is no callback. Must not block. */
  writeLine(line: string, severity: DiagnosticSeverity): void
  /** Returns the logger settings of the environment; `levels` are the names of the logger's levels. */
  environment(reportDiagnostic: OnDiagnostic, levels: readonly string[]): LoggerEnvironment
  resource(given: LoggerOptions['resource'], reportDiagnostic: OnDiagnostic): Resource
  /** Returns the storage with the attributes of the current asynchronous call chain. */
  contexts(): { get(): ContextAttributes | undefined }
  /** Returns the default exporter. */
  exporter(profile: ProfileDefaults): Exporter
  /** Wraps the functions that flush and close exporters. */
  delivery(own: LoggerDelivery): LoggerDelivery
  /** Returns the sink of a logger without exporters; undefined for loggers with exporters. */
  providerSink(
    options: LoggerOptions,
    bound: BoundState,
    rules: Rules,
    reportDiagnostic: OnDiagnostic,
  ): Sink | undefined
}

/** The terminal sink of a logger's records. */
export interface Sink {
  readonly handler: RecordHandler
  readonly allCounters: readonly Counters[]
  readonly delivery: LoggerDelivery
  readonly captureRecords: CaptureRecords | undefined
}

/** Creates a logger. Throws a ConfigurationError with every problem of the options. */
export function composeLogger(options: object, runtime: LoggerRuntime): RootLogger {
  const { core, handler, rules, bound, level } = compose(options, runtime, 'createLogger')
  return rootLogger(core, handler, rules, bound, level)
}

/**
 * Creates an emitter for the records of another library's logger. Throws as `composeLogger` does.
 *
 * @param caller - name of the public function that was called, for error messages
 */
export function composeEmitter(
  options: object,
  runtime: LoggerRuntime,
  caller: string,
): { readonly emit: EmitRecord; readonly core: LoggerCore } {
  const { core, handler, rules, bound } = compose(options, runtime, caller)
  return { emit: recordEmitter(core, handler, rules, bound), core }
}

/** Parts of a logger under construction. */
interface LoggerParts {
  readonly core: LoggerCore
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly bound: BoundState
  readonly level: string
}

function compose(options: object, runtime: LoggerRuntime, caller: string): LoggerParts {
  const { platform } = runtime
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(options as LoggerOptions, '', problems, optionBags)
  const reportDiagnostic = diagnosticReporter(own?.onDiagnostic, runtime.writeLine, platform.monotonic)
  const levels = new Levels(own?.levels ?? {})
  const checked = checkLoggerOptions(
    own,
    runtime.schema,
    levels,
    runtime.environment(reportDiagnostic, levels.names),
    problems,
  )
  const handlerGuard =
    typeof own?.handler === 'function'
      ? new HandlerGuard(own.handler, levels.severities, reportDiagnostic, problems)
      : undefined
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)

  reportMisplacedPaths(own.redact, reportDiagnostic)
  const { rules } = checked
  const { names, keys, values, dropped } = new Resolver(rules).capture(own.attributes ?? {})
  const origin: BoundOrigin = {
    scope: redactedScope({ ...emptyScopeDetails, name: own.name, version: own.version }, rules.redaction.patterns),
    resource: redactedResource(runtime.resource(own.resource, reportDiagnostic), rules.redaction.patterns),
    messagePrefix: own.messagePrefix ?? '',
    context: undefined,
    droppedAttributes: dropped,
  }
  const bound = BoundState.ofNamed(origin, { names, keys, values })
  const clock = own.clock === undefined ? Date.now : guardedClock(own.clock)
  const contexts = runtime.contexts()
  const sink =
    runtime.providerSink(own, bound, rules, reportDiagnostic) ??
    exporterSink(
      own,
      runtime,
      { platform, levels, bound, clock, reportDiagnostic, decorate: undefined, onFlush: undefined },
      checked,
    )
  const core: LoggerCore = {
    levels,
    allCounters: sink.allCounters,
    clock,
    activeSpan: own.traceContext === false ? undefined : activeSpanContext,
    spanIn: (context) => spanContextIn(context as OtelContext),
    context: () => contexts.get(),
    childAdapter: pinoChildAdapter,
    reportDiagnostic,
    captureRecords: sink.captureRecords,
    ...sink.delivery,
  }
  const enriched = own.enrich === undefined ? sink.handler : enrichHandler(sink.handler, own.enrich)
  const guarded = handlerGuard === undefined ? enriched : handlerGuard.before(enriched, sink.allCounters)
  const handler = own.traceBased === true ? traceBasedHandler(guarded, sink.allCounters) : guarded
  return { core, handler, rules, bound, level: checked.level }
}

function exporterSink(
  { exporter, meterProvider }: LoggerOptions,
  runtime: LoggerRuntime,
  settings: Omit<AttachSettings, 'exit' | 'profile'>,
  { rules, exit, profile }: CheckedOptions,
): Sink {
  const { attached, delivery } = openExporters(
    exporter ?? runtime.exporter(profile),
    { ...settings, exit, profile },
    (attached) => measure(attached, meterProvider, settings.reportDiagnostic),
  )
  const outputs = attached.map(({ target }) => target)
  return {
    handler: encodingHandler(outputs, rules),
    allCounters: outputs.map(({ owner }) => owner.counters),
    delivery: runtime.delivery(delivery),
    captureRecords: (sink) => captureRecords(outputs, sink),
  }
}
