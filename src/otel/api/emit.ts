import { redactedScope } from '../../encode/walk/redacted-source.ts'
import { encodingHandler, type PipelineTarget } from '../../handler/encoding-handler.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import { notEncoded, type Counters } from '../../pipeline/counters.ts'
import { isPolluted, membersOf } from '../../options/own-members.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { BoundState } from '../../record/bound.ts'
import { newRecord } from '../../record/record.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import { severityRange } from '../../record/severity.ts'
import type { SpanContext } from '../../record/span.ts'
import { readClock } from '../../record/time.ts'
import { thrownError } from '../../values/thrown-error.ts'
import type { Rules } from '../../values/record-rules.ts'
import { outputOf, type AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import type { LoggerScope, ResolvedLoggerConfig } from '../provider/configurator.ts'
import { guardedFields } from './emit-fields.ts'
import { eventNameOf, severityNumberOf } from './field-values.ts'
import { activeSpanContext, spanContextIn } from './span-context.ts'
import { processing } from '../provider/provider-processors.ts'
import type { ResourceReadiness } from '../provider/resource-readiness.ts'
import { processorsOnlyHandler } from '../provider/processors-only.ts'
import { recordTimes } from './times.ts'
import type { EmittedLogRecord, EnabledOptions, OtelContext, OtelLogger, OtelLogRecordProcessor } from './types.ts'

/**
 * A logger of the OpenTelemetry Logs API, compatible with `@opentelemetry/api` 1.10 and with `@opentelemetry/api-logs`. Neither
 * method throws, and both can be called detached from the object.
 */
export interface ScopedLogger extends OtelLogger {
  /**
   * Logs a record. The record is serialized before this returns, so later changes to its values have no effect.
   *
   * @param record - the record to log
   */
  emit(record: EmittedLogRecord): void
  /**
   * Returns whether a record with these properties would be logged. The result changes when the provider is reconfigured, so do not
   * cache it.
   *
   * @param options - the severity, context and event name of the record
   */
  enabled(options?: EnabledOptions): boolean
}

/** State that all loggers of a provider share. */
export interface EmitSettings {
  readonly attached: readonly AttachedExporter[]
  /** Counts records when there are no exporters and only processors receive them. */
  readonly processed: Counters
  readonly rules: Rules
  readonly resource: Resource
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number
  /** Whether records get the trace and span ID of their span. */
  readonly traceContext: boolean
  /** Tracks whether the resource is complete. */
  readonly resourceReadiness: ResourceReadiness
  /** The processors that receive each record before it is encoded. */
  readonly processors: readonly OtelLogRecordProcessor[]
  readonly reportDiagnostic: OnDiagnostic
  /** Incremented when the configuration or the resource changes, so that loggers read both again. */
  readonly epoch: number
  /** Whether the provider was shut down. */
  readonly closed: boolean
  configOf(scope: LoggerScope): ResolvedLoggerConfig
}

/** Creates the logger of a scope. Scopes are compared by identity; there must be one logger for each. */
export function scopedLogger(scope: Scope & LoggerScope, settings: EmitSettings): ScopedLogger {
  const { attached, rules, resource, clock, traceContext } = settings
  const bound = BoundState.ofSource({ scope: redactedScope(scope, rules.redaction.patterns), resource })
  const outputs = attached.map((attached): PipelineTarget => outputOf(attached, bound))
  const isProcessorsOnly = outputs.length === 0
  const allCounters = isProcessorsOnly ? [settings.processed] : outputs.map(({ owner }) => owner.counters)
  const lowestThreshold = isProcessorsOnly ? 0 : Math.min(...outputs.map(({ threshold }) => threshold))
  const processors = processing(scope, settings)
  let epoch = -1
  let config: ResolvedLoggerConfig
  let handler: RecordHandler

  function refresh(): void {
    config = settings.configOf(scope)
    // Encoders cache the serialized resource, which may have more attributes now, so create new ones.
    handler = isProcessorsOnly ? processorsOnlyHandler(settings.processed) : encodingHandler(outputs, rules)
    epoch = settings.epoch
  }

  /** Emits a record from its fields. Throws when reading a field throws or the stack is exhausted; nothing is counted then. */
  function emitFields(fields: EmittedLogRecord): void {
    const { timestamp, observedTimestamp, severityNumber, severityText, body } = fields
    const { attributes, exception, eventName, context } = fields
    if (epoch !== settings.epoch) refresh()
    const severity = severityNumberOf(severityNumber)
    // The specification defines the order of these checks (SDK9).
    if (!config.enabled) return countFiltered(true)
    if (severity < config.minimumSeverity && severity !== 0) return countFiltered()
    const span = traceContext || config.traceBased ? spanOf(context) : undefined
    if (config.traceBased && isUnsampled(span)) return countFiltered()
    const now = readClock(clock)
    const isNow = timestamp === undefined && observedTimestamp === undefined
    const times = isNow ? undefined : recordTimes(timestamp, observedTimestamp, now)
    const level = typeof severityText === 'string' ? severityText : ''
    const record = newRecord(times === undefined ? now : times.time, severity, level, bound)
    if (times !== undefined) record.exact = times.exact
    record.body = body
    record.literal = true
    if (typeof attributes === 'object' && attributes !== null) record.attributes = attributes
    record.exception = thrownError(exception)
    if (traceContext) record.span = span
    record.eventName = eventNameOf(eventName)
    // After shutdown, the handler counts the record as dropped, and processors are not called.
    handler.handle(processors === undefined || settings.closed ? record : processors.take(record, context, now))
  }

  function countFiltered(isDisabled = false): void {
    for (let i = 0; i < allCounters.length; i++) {
      const counters = allCounters[i]!
      counters.emitted++
      counters.filtered++
      if (isDisabled) counters.disabled++
    }
  }

  return {
    emit(record) {
      try {
        emitFields(isPolluted() ? guardedFields(record) : record)
      } catch {
        try {
          emitFields(guardedFields(record))
        } catch {
          // The stack is exhausted. Update counters without calling any function, because a call would fail in the same way.
          for (let i = 0; i < allCounters.length; i++) {
            const counters = allCounters[i]!
            counters.emitted++
            counters.accepted++
            counters.droppedTotal++
            counters.droppedByReason[notEncoded]!++
            counters.droppedByLevel[unspecified]!++
          }
        }
      }
    },
    enabled(given) {
      try {
        const options = given !== undefined && isPolluted() ? membersOf(given, enabledMembers) : given
        if (settings.closed) return false
        if (epoch !== settings.epoch) refresh()
        if (!config.enabled) return false
        const severity = severityNumberOf(options?.severityNumber)
        if (severity !== 0 && severity < config.minimumSeverity) return false
        if (config.traceBased && isUnsampled(spanOf(options?.context))) return false
        if (processors?.isEnabled(options) === true) return true
        return outputs.length > 0 && (severity === 0 || severity >= lowestThreshold)
      } catch {
        return true // reading the options threw; `emit` handles this case
      }
    },
  }
}

const unspecified = severityRange(0)
const enabledMembers = ['severityNumber', 'context', 'eventName'] as const

/** Returns the span of the given context. Without one (`context: undefined`), returns the active span (D6, SDK12). */
function spanOf(context: OtelContext | undefined): SpanContext | undefined {
  return context === undefined || context === null ? activeSpanContext() : spanContextIn(context)
}

function isUnsampled(span: SpanContext | undefined): boolean {
  return span !== undefined && (span.traceFlags & 1) === 0
}
