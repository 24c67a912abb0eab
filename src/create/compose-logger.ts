import { reportMisplacedPaths } from '../redact/path-hints.ts'
import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { Resolver } from '../encode/walk/resolve.ts'
import { loggerDelivery, type LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { measure, attachExporters, type AttachSettings } from '../lifecycle/attached-exporters.ts'
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
import { nothingMore, type Resource } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'

/** What a logger takes of the runtime that it is made for. */
export interface LoggerRuntime {
  readonly platform: Platform
  /** Which options there are. */
  readonly schema: OptionSchema
  /** Tells trouble where nobody takes it. Must not block. */
  writeLine(line: string, severity: DiagnosticSeverity): void
  /** What the environment asks for; `levels` are the logger's own. */
  environment(reportDiagnostic: OnDiagnostic, levels: readonly string[]): LoggerEnvironment
  resource(given: LoggerOptions['resource'], reportDiagnostic: OnDiagnostic): Resource
  /** What finds the attributes of the asynchronous call chain at hand. */
  contexts(): { get(): ContextAttributes | undefined }
  /** Where records go when nobody says where. */
  exporter(profile: ProfileDefaults): Exporter
  /** Changes how exporters are flushed and closed. */
  delivery(own: LoggerDelivery): LoggerDelivery
  /** Where records end that go to no exporter; undefined for the others. */
  providerSink(
    options: LoggerOptions,
    bound: BoundState,
    rules: Rules,
    reportDiagnostic: OnDiagnostic,
  ): Sink | undefined
}

/** Where a logger's records end. */
export interface Sink {
  readonly handler: RecordHandler
  readonly allCounters: readonly Counters[]
  readonly delivery: LoggerDelivery
  readonly captureRecords: CaptureRecords | undefined
}

/** Makes a logger. Throws a ConfigurationError with every problem of the options. */
export function composeLogger(options: object, runtime: LoggerRuntime): RootLogger {
  const { core, handler, rules, bound, level } = compose(options, runtime)
  return rootLogger(core, handler, rules, bound, level)
}

/** What stands behind a logger, for the records of another one. Throws as `composeLogger` does. */
export function composeEmitter(
  options: object,
  runtime: LoggerRuntime,
): { readonly emit: EmitRecord; readonly core: LoggerCore } {
  const { core, handler, rules, bound } = compose(options, runtime)
  return { emit: recordEmitter(core, handler, rules, bound), core }
}

/** A logger that nobody holds yet. */
interface LoggerParts {
  readonly core: LoggerCore
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly bound: BoundState
  readonly level: string
}

function compose(options: object, runtime: LoggerRuntime): LoggerParts {
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
  const decorator =
    typeof own?.handler === 'function'
      ? new HandlerGuard(own.handler, levels.severities, reportDiagnostic, problems)
      : undefined
  if (problems.length > 0) throw new ConfigurationError(problems)

  reportMisplacedPaths(own.redact, reportDiagnostic)
  const { rules } = checked
  const { names, keys, values, dropped } = new Resolver(rules).capture(own.attributes ?? {})
  const origin: BoundOrigin = {
    scope: redactedScope({ ...nothingMore, name: own.name, version: own.version }, rules.redaction.patterns),
    resource: redactedResource(runtime.resource(own.resource, reportDiagnostic), rules.redaction.patterns),
    messagePrefix: own.messagePrefix ?? '',
    context: undefined,
    droppedAttributes: dropped,
  }
  const bound = BoundState.ofNamed(origin, { names, keys, values })
  const clock = own.clock === undefined ? Date.now : guardedClock(own.clock)
  const contexts = runtime.contexts()
  const end =
    runtime.providerSink(own, bound, rules, reportDiagnostic) ??
    exporterSink(
      own,
      runtime,
      { platform, levels, bound, clock, reportDiagnostic, decorate: undefined, flushing: undefined },
      checked,
    )
  const core: LoggerCore = {
    levels,
    allCounters: end.allCounters,
    clock,
    activeSpan: own.traceContext === false ? undefined : activeSpanContext,
    spanIn: (context) => spanContextIn(context as OtelContext),
    context: () => contexts.get(),
    reportDiagnostic,
    captureRecords: end.captureRecords,
    ...end.delivery,
  }
  const enriched = own.enrich === undefined ? end.handler : enrichHandler(end.handler, own.enrich)
  const decorated = decorator === undefined ? enriched : decorator.before(enriched, end.allCounters)
  const handler = own.traceBased === true ? traceBasedHandler(decorated, end.allCounters) : decorated
  return { core, handler, rules, bound, level: checked.level }
}

function exporterSink(
  { exporter, meterProvider }: LoggerOptions,
  runtime: LoggerRuntime,
  settings: Omit<AttachSettings, 'exit' | 'profile'>,
  { rules, exit, profile }: CheckedOptions,
): Sink {
  const { platform, reportDiagnostic } = settings
  const attached = attachExporters(exporter ?? runtime.exporter(profile), { ...settings, exit, profile })
  const outputs = attached.map(({ output }) => output)
  const measured = measure(attached, meterProvider, reportDiagnostic)
  const delivery = loggerDelivery(platform, attached, exit.exitTimeoutMillis, measured)
  return {
    handler: encodingHandler(outputs, rules),
    allCounters: outputs.map(({ owner }) => owner.counters),
    delivery: runtime.delivery(delivery),
    captureRecords: (sink) => captureRecords(outputs, sink),
  }
}
