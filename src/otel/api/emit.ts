import { redactedScope } from '../../encode/walk/redacted-source.ts'
import { encodingHandler, type PipelineTarget } from '../../handler/encoding-handler.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import { dropReasons, type Counters } from '../../pipeline/counters.ts'
import { isPolluted, membersOf } from '../../options/own-members.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { BoundState, originOf } from '../../record/bound.ts'
import type { LogRecord, Resource, Scope } from '../../record/record.ts'
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

/** A logger of the OpenTelemetry API, of either line. Neither function ever throws; both work detached. */
export interface ScopedLogger extends OtelLogger {
  /** Logs a record. It is finished text when this returns: what the caller changes later changes nothing. */
  emit(record: EmittedLogRecord): void
  /** Whether a record like this would be logged. The answer changes with the configuration: do not keep it (API5). */
  enabled(options?: EnabledOptions): boolean
}

/** What all loggers of a provider have in common. */
export interface EmitSettings {
  readonly attached: readonly AttachedExporter[]
  /** Counts records where there are no outlets and processors receive them alone. */
  readonly processed: Counters
  readonly rules: Rules
  readonly resource: Resource
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number
  /** Whether records carry the ids of their span. */
  readonly traceContext: boolean
  /** When the resource is complete. */
  readonly settlement: ResourceReadiness
  /** What records go through first. */
  readonly processors: readonly OtelLogRecordProcessor[]
  readonly reportDiagnostic: OnDiagnostic
  /** Counts up whenever loggers must look at their configuration and at the resource again. */
  readonly epoch: number
  /** The provider was shut down. */
  readonly closed: boolean
  configOf(scope: LoggerScope): ResolvedLoggerConfig
}

/** The logger of a scope. The scope is compared by identity: there is one logger for it. */
export function scopedLogger(scope: Scope & LoggerScope, settings: EmitSettings): ScopedLogger {
  const { attached, rules, resource, clock, traceContext } = settings
  const bound = BoundState.of(originOf({ scope: redactedScope(scope, rules.redaction.patterns), resource }))
  const outputs = attached.map((attached): PipelineTarget => outputOf(attached, bound))
  const isProcessorsOnly = outputs.length === 0
  const allCounters = isProcessorsOnly ? [settings.processed] : outputs.map(({ owner }) => owner.counters)
  const least = isProcessorsOnly ? 0 : Math.min(...outputs.map(({ threshold }) => threshold))
  const processors = processing(scope, settings)
  let epoch = -1
  let config: ResolvedLoggerConfig
  let handler: RecordHandler

  function look(): void {
    config = settings.configOf(scope)
    // An encoder keeps what it has rendered of the resource, and that may say more by now.
    handler = isProcessorsOnly ? processorsOnlyHandler(settings.processed) : encodingHandler(outputs, rules)
    epoch = settings.epoch
  }

  /** Throws what reading a member throws, and where the stack is exhausted; then nothing is counted. */
  function emitFields(fields: EmittedLogRecord): void {
    const { timestamp, observedTimestamp, severityNumber, severityText, body } = fields
    const { attributes, exception, eventName, context } = fields
    if (epoch !== settings.epoch) look()
    const severity = severityNumberOf(severityNumber)
    // In this order (SDK9).
    if (!config.enabled) return leaveOut(true)
    if (severity < config.minimumSeverity && severity !== 0) return leaveOut()
    const span = traceContext || config.traceBased ? spanOf(context) : undefined
    if (config.traceBased && isUnsampled(span)) return leaveOut()
    const now = readClock(clock)
    const isNow = timestamp === undefined && observedTimestamp === undefined
    const times = isNow ? undefined : recordTimes(timestamp, observedTimestamp, now)
    const record: LogRecord = {
      time: times === undefined ? now : times.time,
      exact: times === undefined ? undefined : times.exact,
      severity,
      level: typeof severityText === 'string' ? severityText : '',
      body,
      literal: true,
      args: undefined,
      extra: undefined,
      attributes: typeof attributes === 'object' && attributes !== null ? attributes : undefined,
      droppedAttributes: 0,
      exception: thrownError(exception),
      span: traceContext ? span : undefined,
      eventName: eventNameOf(eventName),
      bound,
      enriched: undefined,
    }
    // After the shutdown the record is counted as lost, and processors are called no more.
    handler.handle(processors === undefined || settings.closed ? record : processors.take(record, context, now))
  }

  function leaveOut(isDisabled = false): void {
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
          // An exhausted stack. Nothing is called: a call would end as the record did.
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
        if (epoch !== settings.epoch) look()
        if (!config.enabled) return false
        const severity = severityNumberOf(options?.severityNumber)
        if (severity !== 0 && severity < config.minimumSeverity) return false
        if (config.traceBased && isUnsampled(spanOf(options?.context))) return false
        if (processors?.isEnabled(options) === true) return true
        return outputs.length > 0 && (severity === 0 || severity >= least)
      } catch {
        return true // options whose reading throws: `emit` finds out
      }
    },
  }
}

const notEncoded = dropReasons.indexOf('not_encoded')
const unspecified = severityRange(0)
const enabledMembers = ['severityNumber', 'context', 'eventName'] as const

/** The span of the given context, else of the active one: `context: undefined` means no other (D6, SDK12). */
function spanOf(context: OtelContext | undefined): SpanContext | undefined {
  return context === undefined || context === null ? activeSpanContext() : spanContextIn(context)
}

function isUnsampled(span: SpanContext | undefined): boolean {
  return span !== undefined && (span.traceFlags & 1) === 0
}
