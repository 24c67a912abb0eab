import { redactedScope } from '../../encode/walk/redacted-source.ts'
import { Resolver } from '../../encode/walk/resolve.ts'
import { encodingHandler, type PipelineTarget } from '../../handler/encoding-handler.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import { notEncodedIndex, type Counters } from '../../pipeline/counters.ts'
import { isObjectPrototypePolluted, membersOf } from '../../options/own-members.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { BoundState } from '../../record/bound.ts'
import { newRecord } from '../../record/record.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import { severityName, severityRange } from '../../record/severity.ts'
import type { SpanContext } from '../../record/span.ts'
import { readClock } from '../../record/time.ts'
import { thrownError } from '../../values/thrown-error.ts'
import type { Rules } from '../../values/record-rules.ts'
import { targetWithSource, type AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import type { LoggerScope, ResolvedLoggerConfig } from '../provider/configurator.ts'
import { Levels } from '../../logger/levels.ts'
import { InheritedLevel } from '../../levels/inherited-level.ts'
import type { Directive } from '../../levels/directive.ts'
import type { LevelReporter } from '../../levels/level-reporters.ts'
import { ScopeAttributeSource } from './scope-attribute-source.ts'
import { safeFieldsOf } from './emit-fields.ts'
import { validEventName, validSeverityNumber } from './field-values.ts'
import { activeSpanContext, spanContextIn } from './span-context.ts'
import { createProcessorChain } from '../provider/provider-processors.ts'
import type { ResourceReadiness } from '../provider/resource-readiness.ts'
import { createProcessorsOnlyHandler } from '../provider/processors-only.ts'
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

/** The state of a provider that its loggers share. */
export interface ProviderState {
  readonly attachedExporters: readonly AttachedExporter[]
  /** Counts the records of a provider without exporters, whose records only its processors receive. */
  readonly processorCounters: Counters
  readonly rules: Rules
  readonly resource: Resource
  /** Returns milliseconds since the Unix epoch. */
  readonly clock: () => number
  /** Returns the attributes from the baggage of a context, or of the active one; undefined without the option `baggage`. */
  readonly readBaggage: ((context: object | undefined) => object | undefined) | undefined
  /** Whether records get the trace and span ID of their span. */
  readonly traceContext: boolean
  /** Tracks whether exports must wait for attributes of the resource. */
  readonly resourceReadiness: ResourceReadiness
  /** The processors that receive each record before it is encoded. */
  readonly processors: readonly OtelLogRecordProcessor[]
  readonly reportDiagnostic: OnDiagnostic
  /** Incremented when the configuration or the resource changes, so that loggers read both again. */
  readonly revision: number
  /** The level directives of `configure`. */
  readonly levelDirectives: readonly Directive[]
  /** Writes changes of level directives. It is held here, because the process holds it weakly. */
  readonly levelReporter: LevelReporter | undefined
  /** Whether the provider was shut down. */
  readonly isClosed: boolean
  configOf(scope: LoggerScope): ResolvedLoggerConfig
}

/** Creates the logger of a scope. Exporters group records by the identity of their scope, so each scope must have only one logger. */
export function createScopedLogger(scope: Scope & LoggerScope, state: ProviderState): ScopedLogger {
  const { attachedExporters, rules, resource, clock, readBaggage, traceContext } = state
  const bound = BoundState.ofSource({ scope: redactedScope(scope, rules.redaction.patterns), resource })
  const targets = attachedExporters.map((attached): PipelineTarget => targetWithSource(attached, bound))
  const isProcessorsOnly = targets.length === 0
  const allCounters = isProcessorsOnly ? [state.processorCounters] : targets.map(({ owner }) => owner.counters)
  const lowestThreshold = isProcessorsOnly ? 0 : Math.min(...targets.map(({ threshold }) => threshold))
  const processorChain = createProcessorChain(scope, state)
  /** The revision of the provider that `config` and `handler` were created for; -1 until they are. */
  let revision = -1
  let config: ResolvedLoggerConfig
  let level: InheritedLevel
  const attributeSource = new ScopeAttributeSource(bound.scope.attributes, new Resolver(rules))
  let handler: RecordHandler

  function refresh(): void {
    config = state.configOf(scope)
    const codeLevel = { name: severityName(config.minimumSeverity), threshold: config.minimumSeverity }
    level = InheritedLevel.ofRoot(codeLevel, scope.name, { levels: standardLevels, directives: state.levelDirectives })
    // Encoders cache the serialized resource, which may have more attributes now, so a handler with new encoders is created.
    handler = isProcessorsOnly ? createProcessorsOnlyHandler(state.processorCounters) : encodingHandler(targets, rules)
    revision = state.revision
  }

  /** Returns whether the level of the scope includes a severity. Records without a severity are always included. */
  function isLevelEnabled(severity: number, context: OtelContext | undefined): boolean {
    if (severity === 0) return true
    if (severity < level.threshold) return false
    return severity >= level.certainThreshold || level.isEnabledFor(severity, attributeSource.in(context))
  }

  /** Emits a record from its fields. Throws when reading a field throws or the stack is exhausted; nothing is counted then. */
  function emitFields(fields: EmittedLogRecord): void {
    const { timestamp, observedTimestamp, severityNumber, severityText, body } = fields
    const { attributes, exception, eventName, context } = fields
    if (revision !== state.revision) refresh()
    const severity = validSeverityNumber(severityNumber)
    // The specification defines the order of these checks: enabled, severity, trace.
    if (!config.enabled) return countFiltered(true)
    if (!isLevelEnabled(severity, context)) return countFiltered()
    const span = traceContext || config.traceBased ? spanContextOf(context) : undefined
    if (config.traceBased && isUnsampled(span)) return countFiltered()
    const now = readClock(clock)
    const hasNoTimes = timestamp === undefined && observedTimestamp === undefined
    const times = hasNoTimes ? undefined : recordTimes(timestamp, observedTimestamp, now)
    const level = typeof severityText === 'string' ? severityText : ''
    const record = newRecord(times === undefined ? now : times.time, severity, level, bound)
    if (times !== undefined) record.exactTimes = times.exactTimes
    record.body = body
    record.keepsBraces = true
    if (typeof attributes === 'object' && attributes !== null) record.attributes = attributes
    record.exception = thrownError(exception)
    if (traceContext) record.span = span
    record.eventName = validEventName(eventName)
    if (readBaggage !== undefined) record.baggageAttributes = readBaggage(context ?? undefined)
    // After shutdown, the handler counts the record as dropped, and processors are not called.
    handler.handle(
      processorChain === undefined || state.isClosed ? record : processorChain.process(record, context, now),
    )
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
        emitFields(isObjectPrototypePolluted() ? safeFieldsOf(record) : record)
      } catch {
        try {
          emitFields(safeFieldsOf(record))
        } catch {
          // The stack is exhausted. Update counters without calling any function, because a call would fail in the same way.
          for (let i = 0; i < allCounters.length; i++) {
            const counters = allCounters[i]!
            counters.emitted++
            counters.accepted++
            counters.droppedTotal++
            counters.droppedByReason[notEncodedIndex]!++
            counters.droppedByLevel[unspecifiedLevelIndex]!++
          }
        }
      }
    },
    enabled(given) {
      try {
        const options =
          given !== undefined && isObjectPrototypePolluted() ? membersOf(given, enabledOptionNames) : given
        if (state.isClosed) return false
        if (revision !== state.revision) refresh()
        if (!config.enabled) return false
        const severity = validSeverityNumber(options?.severityNumber)
        if (!isLevelEnabled(severity, options?.context)) return false
        if (config.traceBased && isUnsampled(spanContextOf(options?.context))) return false
        if (processorChain?.isEnabled(options) === true) return true
        return targets.length > 0 && (severity === 0 || severity >= lowestThreshold)
      } catch {
        return true // reading the options threw; `emit` decides whether the record is logged
      }
    },
  }
}

const standardLevels = new Levels()
/** The index of records without a severity in `Counters.droppedByLevel`. */
const unspecifiedLevelIndex = severityRange(0)
const enabledOptionNames = ['severityNumber', 'context', 'eventName'] as const

/** Returns the span context in a context. Without a context, returns that of the active span. */
function spanContextOf(context: OtelContext | undefined): SpanContext | undefined {
  return context === undefined || context === null ? activeSpanContext() : spanContextIn(context)
}

function isUnsampled(span: SpanContext | undefined): boolean {
  return span !== undefined && (span.traceFlags & 1) === 0
}
