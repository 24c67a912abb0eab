import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { disownPromise, onRejection, synchronous } from '../../options/observe-promise.ts'
import type { OnDiagnostic, Diagnostic } from '../../options/configuration-error.ts'
import type { LogRecord, Scope } from '../../record/record.ts'
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

/** What stands behind a logger in front of a provider. */
export interface ProviderHandlerOptions {
  /** A provider, or the one that is registered in the process when a record needs it. */
  readonly provider: OtelLoggerProvider | 'global'
  readonly scope: Scope
  readonly counters: Counters
  /** Whether records belong to the active span where they have no context of their own. */
  readonly traceContext: boolean
  readonly reportDiagnostic: OnDiagnostic
}

/**
 * Hands records to somebody's LoggerProvider: resolved and redacted, as data that its SDK takes. For the ledger a record is
 * written when `emit` has returned: what becomes of it is the provider's. One for which there is no provider, or whose `emit`
 * throws (D4), is dropped as `rejected`.
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
    const asked = {
      severityNumber: severity,
      ...(eventName === undefined ? {} : { eventName: patterns?.redacted(eventName) ?? eventName }),
      ...(context === undefined ? {} : { context }),
    }
    const enabled: unknown = logger && member(logger, 'enabled')?.call(logger, asked)
    if (typeof enabled === 'object') disownPromise(enabled)
    if (enabled === false) {
      counters.filtered++
      return
    }
    const data = resolveRecord(record, rules)
    if (logger === undefined)
      return lose('SLUICE_PROVIDER_MISSING', 'no LoggerProvider is registered: records are lost')
    const answer: unknown = logger.emit(emittedOf(data, context))
    if (answer !== undefined) onRejection(answer, () => reportDiagnostic(emitRejected))
  } catch {
    return lose('SLUICE_PROVIDER_FAILED', 'the LoggerProvider threw: its record is lost')
  }
  counters.accepted++
  counters.written++

  function lose(code: string, message: string): void {
    counters.accepted++
    counters.drop('rejected', severity)
    counters.lastProblem = `${code}: ${message}`
    reportDiagnostic({ code, message })
  }
}

const emitRejected: Diagnostic = {
  code: 'SLUICE_PROVIDER_FAILED',
  message: 'emit() of the LoggerProvider returned a promise that rejected; its record counts as written',
}

/** The context of a record; undefined where it belongs to the active one, which the SDK finds (D6). */
function contextOf({ bound }: LogRecord, traceContext: boolean): OtelContext | undefined {
  return (bound.context as OtelContext | undefined) ?? (traceContext ? undefined : rootContext)
}

/** A record as the API takes it. */
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

/** Loggers are asked for once for each provider, since that may be expensive; which provider is global is asked each time. */
function loggerFinder({ provider, scope }: ProviderHandlerOptions): () => OtelLogger | undefined {
  let known: OtelLoggerProvider | undefined
  let logger: OtelLogger | undefined
  return () => {
    const current = provider === 'global' ? globalLoggerProvider() : provider
    if (current !== known) {
      // In this order: a provider that throws is asked again.
      logger = synchronous(current?.getLogger(scope.name ?? '', scope.version), 'getLogger')
      known = current
    }
    return logger
  }
}
