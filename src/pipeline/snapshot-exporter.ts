import { member, withoutPrototype } from '../options/own-members.ts'
import { ignoreRejection, handleRejection } from '../options/observe-promise.ts'
import type { Exporter, ExporterHost, ExportResult } from './exporter.ts'

/**
 * Returns a copy of an exporter for use by a pipeline. It has the exporter's own members and those of its class, but no members of
 * `Object.prototype`: one that another library has put there would be used as an `exportSync`, or a queue limit, that the exporter
 * does not have. Which optional methods exist is fixed now. Each call reads the method from the exporter again, so that a method that
 * was replaced later is called.
 */
export function snapshotExporter(exporter: Exporter): Exporter {
  const supportsPolling = member(exporter, 'supportsPolling')
  const hasMethod = (method: keyof Exporter) => typeof member(exporter, method) === 'function'
  return withoutPrototype<Exporter>({
    ...exporterDescription(exporter),
    ...(supportsPolling === undefined ? {} : { supportsPolling }),
    ...(hasMethod('start') ? { start: (host) => startExporter(exporter, host) } : {}),
    export: (batch, signal) => exporter.export(batch, signal),
    ...(hasMethod('exportSync')
      ? { exportSync: (batch, deadline, final) => synchronousResult(exporter.exportSync!(batch, deadline, final)) }
      : {}),
    ...(hasMethod('abandon') ? { abandon: () => synchronousResult(exporter.abandon!()) } : {}),
    ...(hasMethod('keepAlive') ? { keepAlive: (alive) => setKeepAlive(exporter, alive) } : {}),
    ...(hasMethod('flush') ? { flush: () => exporter.flush!() } : {}),
    ...(hasMethod('shutdown') ? { shutdown: () => exporter.shutdown!() } : {}),
  })
}

/** The members of an exporter that describe it and its destination. */
export type ExporterDescription = Pick<
  Exporter,
  'name' | 'component' | 'encoding' | 'schedule' | 'delivery' | 'batchBytes' | 'destination'
>

/**
 * Returns a copy of the members that describe an exporter. An exporter that wraps another one has the same description.
 * `supportsPolling` is not included: it states whether `exportSync` may be called repeatedly to look for a result, and a wrapper has
 * its own `exportSync`.
 */
export function exporterDescription(exporter: Exporter): ExporterDescription {
  const { name, encoding, delivery } = exporter
  const component = withoutPrototype(member(exporter, 'component'))
  const batchBytes = member(exporter, 'batchBytes')
  const destination = member(exporter, 'destination')
  return withoutPrototype<ExporterDescription>({
    name,
    ...(component === undefined ? {} : { component }),
    encoding,
    schedule: withoutPrototype(member(exporter, 'schedule')),
    delivery: withoutPrototype(delivery),
    ...(batchBytes === undefined ? {} : { batchBytes }),
    ...(destination === undefined ? {} : { destination }),
  })
}

/**
 * Calls `start`. An exception propagates to the caller that creates the logger; a rejection is reported, because nothing awaits
 * it.
 */
function startExporter(exporter: Exporter, host: ExporterHost): void {
  const returned: unknown = exporter.start!(host)
  handleRejection(returned, () =>
    host.reportDiagnostic('SLUICE_EXPORT_FAILED', `${exporter.name} could not be started: start() rejected`),
  )
}

/** Calls `keepAlive`. An exception is ignored, because it must not fail a flush. */
function setKeepAlive(exporter: Exporter, alive: boolean): void {
  try {
    const returned: unknown = exporter.keepAlive!(alive)
    ignoreRejection(returned)
  } catch {
    // The exporter then decides itself whether the process stays alive.
  }
}

/** Returns the result of a synchronous method. The rejection of a promise is handled, so that it does not end the process. */
function synchronousResult(returned: ExportResult): ExportResult {
  ignoreRejection(returned)
  return returned
}
