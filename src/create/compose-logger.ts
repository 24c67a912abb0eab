import { pinoChildAdapter } from '../compat/pino/child-adapter.ts'
import { reportMisplacedPaths } from '../redact/path-hints.ts'
import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { Resolver } from '../encode/walk/resolve.ts'
import type { Sink } from './sink.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { startDeliveryMetrics, type AttachSettings } from '../lifecycle/attached-exporters.ts'
import { deliveryAfterHandler } from '../lifecycle/handler-delivery.ts'
import { openExporters } from '../lifecycle/open-exporters.ts'
import type { DiagnosticSeverity } from '../lifecycle/diagnostic-levels.ts'
import type { Platform } from '../lifecycle/platform.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import type { ProfileDefaults } from '../lifecycle/profiles.ts'
import { baggageHandler } from '../handler/baggage.ts'
import { HandlerGuard } from '../handler/handler-guard.ts'
import { captureRecords } from '../handler/record-capture.ts'
import { encodingHandler } from '../handler/encoding-handler.ts'
import { enrichHandler } from '../handler/enrich.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import { recordChannelHandler, type RecordChannel } from '../handler/record-channel.ts'
import { traceBasedHandler } from '../handler/trace-based.ts'
import type { ContextAttributes } from '../logger/context-attributes.ts'
import { guardedClock } from '../logger/clock.ts'
import type { LoggerCoreState } from '../logger/logger-core.ts'
import type { Directive } from '../levels/directive.ts'
import { processLevelLayers } from '../levels/level-layers.ts'
import { createLevelReporter } from '../logger/level-reporter.ts'
import { Levels } from '../logger/levels.ts'
import { createEmitRecord, type EmitRecord } from '../logger/emit.ts'
import { createRootLogger } from '../logger/logger.ts'
import type { LoggerOptions, RootLogger } from '../logger/types.ts'
import {
  checkLoggerOptions,
  nestedOptionNames,
  type ResolvedLoggerOptions,
  type LoggerEnvironment,
} from './logger-options.ts'
import { baggageReader } from '../otel/api/baggage-selection.ts'
import { activeBaggageEntry, baggageEntry, baggageIn } from '../otel/api/baggage.ts'
import { activeSpanContext, spanContextIn } from '../otel/api/span-context.ts'
import type { OtelContext } from '../otel/api/types.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import { startRecording } from './start-recording.ts'
import type { OptionSchema } from '../options/option-checks.ts'
import type { Usages } from '../options/bare-value.ts'
import { copyOptions } from '../options/own-options.ts'
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
  readEnvironment(reportDiagnostic: OnDiagnostic, levels: readonly string[]): LoggerEnvironment
  /** Sets the level directives of the environment; those of later calls are ignored. Never throws. */
  startLevelSources(reportDiagnostic: OnDiagnostic): void
  /** Returns the resource of all records, with the attributes of the options and of the environment. */
  createResource(attributes: LoggerOptions['resource'], reportDiagnostic: OnDiagnostic): Resource
  /** Returns the storage with the attributes of the current asynchronous call chain. */
  contextStorage(): { get(): ContextAttributes | undefined }
  /** The channel that publishes records; undefined if the runtime has none. */
  readonly recordChannel: RecordChannel | undefined
  /** Returns the default exporter. */
  createDefaultExporter(profileDefaults: ProfileDefaults): Exporter
  /** Wraps the functions that flush and close exporters. */
  wrapDelivery(delivery: LoggerDelivery): LoggerDelivery
  /** Returns the sink of a logger with the option `provider`; undefined for loggers with exporters. */
  createProviderSink(
    options: LoggerOptions,
    bound: BoundState,
    rules: Rules,
    reportDiagnostic: OnDiagnostic,
  ): Sink | undefined
}

/**
 * Creates a logger. Throws a ConfigurationError with every problem of the options.
 *
 * @param caller - name of the public function that was called, for error messages
 * @param problems - problems of other arguments, which the error includes
 * @param followsDirectives - whether level directives apply to the logger
 */
export function composeLogger(
  options: object,
  runtime: LoggerRuntime,
  caller = 'createLogger',
  problems: ConfigurationProblem[] = [],
  followsDirectives = true,
): RootLogger {
  const { core, handler, rules, bound, level, directives } = compose(options, runtime, caller, problems)
  return createRootLogger(core, handler, rules, bound, level, followsDirectives ? directives : undefined)
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
): { readonly emit: EmitRecord; readonly core: LoggerCoreState } {
  const { core, handler, rules, bound } = compose(options, runtime, caller)
  return { emit: createEmitRecord(core, handler, rules, bound), core }
}

/** What to write in place of a value that is not options. */
const loggerUsages: Usages = {
  'a string': "createLogger({ name: 'app' })",
  'an array': 'createLogger({ exporter: [ … ] })',
  'a logger': 'logger.child({ … }) for a logger with more attributes',
  'an exporter': 'createLogger({ exporter })',
  'a stream': 'createLogger({ exporter: fdExporter({ fd: 1 }) })',
}

/** Parts of a logger under construction. */
interface LoggerParts {
  readonly core: LoggerCoreState
  readonly handler: RecordHandler
  readonly rules: Rules
  readonly bound: BoundState
  readonly level: string
  /** The directives in the option `level`. */
  readonly directives: readonly Directive[]
}

function compose(
  userOptions: object,
  runtime: LoggerRuntime,
  caller: string,
  problems: ConfigurationProblem[] = [],
): LoggerParts {
  const { platform } = runtime
  const options = copyOptions(userOptions as LoggerOptions, '', problems, nestedOptionNames, loggerUsages)
  const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, runtime.writeLine, platform.monotonic)
  const levels = new Levels(options?.levels ?? {})
  const layers = processLevelLayers()
  const checked = checkLoggerOptions(
    options,
    runtime.schema,
    levels,
    runtime.readEnvironment(reportDiagnostic, levels.names),
    problems,
  )
  const clock = typeof options?.clock === 'function' ? guardedClock(options.clock) : Date.now
  const handlerGuard =
    typeof options?.handler === 'function'
      ? new HandlerGuard(
          options.handler,
          levels.severities,
          { clock, delay: (millis, callback) => platform.delay(millis, callback), reportDiagnostic },
          problems,
        )
      : undefined
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)

  reportMisplacedPaths(options.redact, reportDiagnostic)
  const { rules } = checked
  const { names, keys, values, droppedCount } = new Resolver(rules).snapshot(options.attributes ?? {})
  const origin: BoundOrigin = {
    scope: redactedScope(
      { ...emptyScopeDetails, name: options.name, version: options.version },
      rules.redaction.patterns,
    ),
    resource: redactedResource(runtime.createResource(options.resource, reportDiagnostic), rules.redaction.patterns),
    messagePrefix: options.messagePrefix ?? '',
    context: undefined,
    droppedAttributes: droppedCount,
  }
  const bound = BoundState.ofNamedValues(origin, { names, keys, values })
  const contexts = runtime.contextStorage()
  const sink =
    runtime.createProviderSink(options, bound, rules, reportDiagnostic) ??
    exporterSink(
      options,
      runtime,
      { platform, levels, bound, clock, reportDiagnostic, decorate: undefined, onFlush: undefined },
      checked,
    )
  const last =
    runtime.recordChannel === undefined
      ? sink.handler
      : recordChannelHandler(sink.handler, runtime.recordChannel, rules)
  const levelReporter = createLevelReporter({ allCounters: sink.allCounters, clock }, last, rules, bound)
  layers.addCustomLevels(options.levels ?? {})
  const removeReporter = layers.addReporter(levelReporter)
  runtime.startLevelSources(reportDiagnostic)
  const recording = startRecording(checked, platform, contexts, { ...sink, handler: last }, rules)
  const openDelivery = recording?.delivery ?? sink.delivery
  const delivery: LoggerDelivery = {
    ...openDelivery,
    shutdown(options) {
      removeReporter()
      return openDelivery.shutdown(options)
    },
  }
  const core: LoggerCoreState = {
    levels,
    recorder: checked.recorder,
    allCounters: sink.allCounters,
    clock,
    activeSpan: options.traceContext === false ? undefined : activeSpanContext,
    spanIn: (context) => spanContextIn(context as OtelContext),
    contextAttributes: () => contexts.get(),
    baggageEntry: (key, context) =>
      context === undefined ? activeBaggageEntry(key) : baggageEntry(baggageIn(context as OtelContext), key),
    levelReporter,
    childAdapter: pinoChildAdapter,
    reportDiagnostic,
    captureRecords: sink.captureRecords,
    ...(handlerGuard === undefined ? delivery : deliveryAfterHandler(handlerGuard, delivery, platform, checked.exit)),
  }
  const handlerBefore = (last: RecordHandler): RecordHandler => {
    const baggageHandling = options.baggage === undefined ? last : baggageHandler(last, baggageReader(options.baggage))
    const enrichingHandler =
      options.enrich === undefined ? baggageHandling : enrichHandler(baggageHandling, options.enrich)
    const guardedHandler =
      handlerGuard === undefined
        ? enrichingHandler
        : handlerGuard.handlerBefore(enrichingHandler, sink.allCounters, bound)
    return options.traceBased === true ? traceBasedHandler(guardedHandler, sink.allCounters) : guardedHandler
  }
  const handler = recording?.handlerWith(handlerBefore) ?? handlerBefore(last)
  return { core, handler, rules, bound, level: checked.level, directives: checked.directives }
}

function exporterSink(
  { exporter, meterProvider }: LoggerOptions,
  runtime: LoggerRuntime,
  settings: Omit<AttachSettings, 'exit' | 'profileDefaults'>,
  { rules, exit, profileDefaults }: ResolvedLoggerOptions,
): Sink {
  const { attached, delivery } = openExporters(
    exporter ?? runtime.createDefaultExporter(profileDefaults),
    { ...settings, exit, profileDefaults },
    (attached) => startDeliveryMetrics(attached, meterProvider, settings.reportDiagnostic),
  )
  const targets = attached.map(({ target }) => target)
  return {
    handler: encodingHandler(targets, rules),
    allCounters: targets.map(({ owner }) => owner.counters),
    delivery: runtime.wrapDelivery(delivery),
    captureRecords: (sink) => captureRecords(targets, sink),
    targets,
  }
}
