import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { ignoreRejection, onRejection, synchronous } from '../../options/observe-promise.ts'
import type { OnDiagnostic, Diagnostic } from '../../options/configuration-error.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Scope } from '../../record/instrumentation-source.ts'
import type { Rules } from '../../values/record-rules.ts'
import { redactedScope } from '../../encode/walk/redacted-source.ts'
import { resolveRecord } from '../../encode/walk/resolve.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import type { Counters } from '../../pipeline/counters.ts'
import { apiAttributes, apiValue } from '../api/api-value.ts'
import { globalLoggerProvider } from '../api/global-provider.ts'
import { rootContext } from '../api/root-context.ts'
import { hrTimeOf } from '../api/times.ts'
import type { EmittedLogRecord, OtelContext, OtelLogger, OtelLoggerProvider } from '../api/types.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** The provider of a handler, and the state that records and counters need. */
export interface ProviderHandlerOptions {
  /** A provider, or `'global'` for the one that is registered in the process when a record is logged. */
  readonly provider: OtelLoggerProvider | 'global'
  readonly scope: Scope
  readonly counters: Counters
  /** Whether a record without its own context belongs to the active span. */
  readonly traceContext: boolean
  readonly reportDiagnostic: OnDiagnostic
}

/**
 * Creates a handler that emits records to a user's LoggerProvider: resolved, redacted and converted to values that its SDK accepts.
 * A record counts as written when `emit` has returned; its delivery is the provider's responsibility. A record is dropped as
 * `rejected` when no provider is registered or `emit` throws (D4).
 */
export function providerHandler(options: ProviderHandlerOptions, rules: Rules): RecordHandler {
  const logger = loggerFinder(options)
  return {
    handle: (record) => emit(record, rules, logger, options),
    withRules: (own) =>
      providerHandler({ ...options, scope: redactedScope(options.scope, own.redaction.patterns) }, own),
  }
}

function emit(
  record: LogRecord,
  rules: Rules,
  findLogger: () => OtelLogger | undefined,
  { counters, traceContext, reportDiagnostic }: ProviderHandlerOptions,
): void {
  counters.emitted++
  const { severity, eventName } = record
  if (counters.closed) {
    counters.accepted++
    return counters.drop('shutdown', severity)
  }
  try {
    const logger = findLogger()
    const context = contextOf(record, traceContext)
    const { patterns } = rules.redaction
    const enabledOptions = {
      severityNumber: severity,
      ...(eventName === undefined ? {} : { eventName: patterns?.redacted(eventName) ?? eventName }),
      ...(context === undefined ? {} : { context }),
    }
    const enabled: unknown = logger && member(logger, 'enabled')?.call(logger, enabledOptions)
    if (typeof enabled === 'object') ignoreRejection(enabled)
    if (enabled === false) {
      counters.filtered++
      return
    }
    const data = resolveRecord(record, rules)
    if (logger === undefined)
      return drop(
        'SLUICE_PROVIDER_MISSING',
        'no LoggerProvider is registered, so records are lost; register one before the first record',
      )
    const returned: unknown = logger.emit(emittedOf(data, context))
    if (returned !== undefined) onRejection(returned, () => reportDiagnostic(emitRejected))
  } catch {
    return drop('SLUICE_PROVIDER_FAILED', 'the LoggerProvider threw, and the record is lost')
  }
  counters.accepted++
  counters.written++

  function drop(code: string, message: string): void {
    counters.accepted++
    counters.drop('rejected', severity)
    counters.lastDiagnostic = `${code}: ${message}`
    reportDiagnostic({ code, message })
  }
}

const emitRejected: Diagnostic = {
  code: 'SLUICE_PROVIDER_FAILED',
  message: 'emit() of the LoggerProvider returned a promise that rejected; the record counts as written',
}

/** Returns the context of a record; undefined when the active context applies, which the SDK reads itself (D6). */
function contextOf({ bound }: LogRecord, traceContext: boolean): OtelContext | undefined {
  return (bound.context as OtelContext | undefined) ?? (traceContext ? undefined : rootContext)
}

/** Converts a record to the input of the API's `emit`. */
function emittedOf(data: LogRecord, context: OtelContext | undefined): EmittedLogRecord {
  const { bound, body, level, severity, eventName } = data
  const attributes = new Map<string, AnyValue>([...bound.attributes, ...(data.attributes as AnyValueMap)])
  const timestamp = hrTimeOf(data.time)
  return ownCopy({
    ...(timestamp === undefined ? {} : { timestamp }),
    severityNumber: severity,
    severityText: level,
    ...(body === undefined ? {} : { body: apiValue(body as AnyValue) }),
    attributes: apiAttributes(attributes),
    ...(eventName === undefined ? {} : { eventName }),
    ...(context === undefined ? {} : { context }),
  })
}

/**
 * Returns a function that finds the logger. `getLogger` is called once for each provider, because it may be expensive; the global
 * provider is looked up on each call.
 */
function loggerFinder({ provider, scope }: ProviderHandlerOptions): () => OtelLogger | undefined {
  let lastProvider: OtelLoggerProvider | undefined
  let logger: OtelLogger | undefined
  return () => {
    const current = provider === 'global' ? globalLoggerProvider() : provider
    if (current !== lastProvider) {
      // Set `current` last, so that `getLogger` is called again after it throws.
      logger = synchronous(current?.getLogger(scope.name ?? '', scope.version), 'getLogger')
      lastProvider = current
    }
    return logger
  }
}
