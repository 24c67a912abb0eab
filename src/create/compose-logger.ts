import { pinoChildAdapter } from '../compat/pino/child-adapter.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { Directive } from '../levels/directive.ts'
import { processLevelLayers } from '../levels/level-layers.ts'
import { deliveryAfterHandler } from '../lifecycle/handler-delivery.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { createEmitRecord, type EmitRecord } from '../logger/emit.ts'
import { createLevelReporter } from '../logger/level-reporter.ts'
import type { LoggerCoreState } from '../logger/logger-core.ts'
import { createRootLogger } from '../logger/logger.ts'
import type { RootLogger } from '../logger/types.ts'
import { activeBaggageEntry, baggageEntry, baggageIn } from '../otel/api/baggage.ts'
import { activeSpanContext, spanContextIn } from '../otel/api/span-context.ts'
import { withoutPrototype } from '../options/own-members.ts'
import type { OtelContext } from '../otel/api/types.ts'
import type { BoundState } from '../record/bound.ts'
import { reportMisplacedPaths } from '../redact/path-hints.ts'
import type { Rules } from '../values/record-rules.ts'
import { handlerChain } from './handler-chain.ts'
import { checkSettings, type LoggerSource } from './logger-settings.ts'
import { openSink } from './open-sink.ts'
import { rootBoundState } from './root-bound-state.ts'
import { startRecording } from './start-recording.ts'

/** What a logger is created from, and whether level directives apply to it; by default they do. */
export interface ComposedLoggerSource extends LoggerSource {
  readonly followsDirectives?: boolean
}

/** Creates a logger. Throws a ConfigurationError with every problem of the options. */
export function composeLogger(source: ComposedLoggerSource): RootLogger {
  const { followsDirectives = true } = withoutPrototype(source)
  const { core, handler, rules, bound, level, directives } = compose(source)
  return createRootLogger(core, handler, rules, bound, level, followsDirectives ? directives : undefined)
}

/** Creates an emitter for the records of another library's logger. Throws as `composeLogger` does. */
export function composeEmitter(source: LoggerSource): { readonly emit: EmitRecord; readonly core: LoggerCoreState } {
  const { core, handler, rules, bound } = compose(source)
  return { emit: createEmitRecord(core, handler, rules, bound), core }
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

function compose(source: LoggerSource): LoggerParts {
  const settings = checkSettings(source)
  const { options, runtime, checked, levels, clock, reportDiagnostic, handlerGuard } = settings
  const { platform } = runtime
  const { rules, level, directives } = checked
  reportMisplacedPaths(options.redact, reportDiagnostic)
  const bound = rootBoundState(settings)
  const contexts = runtime.contextStorage()
  const sink = openSink(settings, bound)
  const { allCounters } = sink
  const levelReporter = createLevelReporter({ allCounters, clock }, sink.handler, rules, bound)
  const layers = processLevelLayers()
  layers.addCustomLevels(Object.keys(options.levels ?? {}))
  const removeReporter = layers.reporters.add(levelReporter)
  runtime.startLevelSources(reportDiagnostic)
  const recording = startRecording(settings, contexts, sink)
  const delivery = withShutdownCallback(recording?.delivery ?? sink.delivery, removeReporter)
  const core: LoggerCoreState = {
    levels,
    recorder: checked.recorder,
    allCounters,
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
  const handlerBefore = (last: RecordHandler, written?: RecordHandler) =>
    handlerChain(settings, allCounters, bound, last, written)
  const handler = recording?.handlerWith(handlerBefore) ?? handlerBefore(sink.handler)
  return { core, handler, rules, bound, level, directives }
}

function withShutdownCallback(delivery: LoggerDelivery, onShutdown: () => void): LoggerDelivery {
  return {
    ...delivery,
    shutdown(options) {
      onShutdown()
      return delivery.shutdown(options)
    },
  }
}
