import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { ignoreRejection, handleRejection, requireSynchronous } from '../../options/observe-promise.ts'
import type { OnDiagnostic, Diagnostic } from '../../options/configuration-error.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Scope } from '../../record/instrumentation-source.ts'
import type { Rules } from '../../values/record-rules.ts'
import { redactedScope } from '../../encode/walk/redacted-source.ts'
import { resolveRecord } from '../../encode/walk/resolve.ts'
import type { RecordHandler } from '../../handler/record-handler.ts'
import type { Counters } from '../../pipeline/counters.ts'
import { toApiAttributes, toApiValue } from '../api/api-value.ts'
import { globalLoggerProvider } from '../api/global-provider.ts'
import { rootContext } from '../api/root-context.ts'
import { toHrTime } from '../api/times.ts'
import type { EmittedLogRecord, OtelContext, OtelLogger, OtelLoggerProvider } from '../api/types.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** A LoggerProvider that a handler emits records to, and the settings of the handler. */
export interface ProviderHandlerOptions {
  /** A provider, or `'global'` for the one that is registered in the process when a record is logged. */
  readonly provider: OtelLoggerProvider | 'global'
  readonly scope: Scope
  readonly counters: Counters
  /** Whether records whose logger has no context of its own belong to the active span. */
  readonly traceContext: boolean
  readonly reportDiagnostic: OnDiagnostic
}

/**
 * Creates a handler that emits records to a user's LoggerProvider: copies that are redacted and contain only values that its SDK accepts.
 * A record counts as written when `emit` has returned; its delivery is the provider's responsibility. A record counts as dropped
 * (`rejected`) if no provider is registered or the provider throws.
 */
export function createProviderHandler(options: ProviderHandlerOptions, rules: Rules): RecordHandler {
  const findLogger = loggerFinder(options)
  return {
    handle: (record) => emit(record, rules, findLogger, options),
    withRules: (newRules) =>
      createProviderHandler({ ...options, scope: redactedScope(options.scope, newRules.redaction.patterns) }, newRules),
    withSource: ({ scope }) => createProviderHandler({ ...options, scope }, rules),
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
  if (counters.isClosed) {
    counters.accepted++
    return counters.drop('shutdown', severity)
  }
  try {
    const logger = findLogger()
    const context = contextOf(record, traceContext)
    const { patterns } = rules.redaction
    const enabledOptions = {
      severityNumber: severity,
      ...(eventName === undefined ? {} : { eventName: patterns?.redact(eventName) ?? eventName }),
      ...(context === undefined ? {} : { context }),
    }
    const isEnabled: unknown = logger && member(logger, 'enabled')?.call(logger, enabledOptions)
    if (typeof isEnabled === 'object') ignoreRejection(isEnabled)
    if (isEnabled === false) {
      counters.filtered++
      return
    }
    const resolved = resolveRecord(record, rules)
    if (logger === undefined)
      return drop(
        'SLUICE_PROVIDER_MISSING',
        'no LoggerProvider is registered, so records are lost; register one before the first record',
      )
    const returned: unknown = logger.emit(emittedRecordOf(resolved, context))
    if (returned !== undefined) handleRejection(returned, () => reportDiagnostic(emitRejected))
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

/** Returns the context to emit a record with; undefined for the active context, which the SDK determines itself. */
function contextOf({ bound }: LogRecord, traceContext: boolean): OtelContext | undefined {
  return (bound.context as OtelContext | undefined) ?? (traceContext ? undefined : rootContext)
}

/** Converts a record that `resolveRecord` returned to the input of the API's `emit`. */
function emittedRecordOf(resolved: LogRecord, context: OtelContext | undefined): EmittedLogRecord {
  const { bound, body, level, severity, eventName } = resolved
  const attributes = new Map<string, AnyValue>([...bound.attributes, ...(resolved.attributes as AnyValueMap)])
  const timestamp = toHrTime(resolved.time)
  return withoutPrototype({
    ...(timestamp === undefined ? {} : { timestamp }),
    severityNumber: severity,
    severityText: level,
    ...(body === undefined ? {} : { body: toApiValue(body as AnyValue) }),
    attributes: toApiAttributes(attributes),
    ...(eventName === undefined ? {} : { eventName }),
    ...(context === undefined ? {} : { context }),
  })
}

/**
 * Returns a function that returns the logger of a provider; undefined if no provider is registered. The global provider is looked up in
 * each call, but `getLogger` is called only when the provider has changed, because it may be expensive.
 */
function loggerFinder({ provider, scope }: ProviderHandlerOptions): () => OtelLogger | undefined {
  let lastProvider: OtelLoggerProvider | undefined
  let logger: OtelLogger | undefined
  return () => {
    const current = provider === 'global' ? globalLoggerProvider() : provider
    if (current !== lastProvider) {
      // Set `lastProvider` last, so that `getLogger` is called again after it has thrown.
      logger = requireSynchronous(current?.getLogger(scope.name ?? '', scope.version), 'getLogger')
      lastProvider = current
    }
    return logger
  }
}
