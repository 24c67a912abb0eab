import { member, ownCopy } from '../options/own-members.ts'
import { ignoreRejection, onRejection } from '../options/observe-promise.ts'
import type { Exporter, ExporterHost, ExportResult } from './exporter.ts'

/**
 * Returns a copy of an exporter for use by a pipeline: its own members and those of its class, but nothing that another library
 * has put on `Object.prototype`, where it would appear as an `exportSync` or a queue limit that is not set. Methods are looked up
 * when they are called.
 */
export function snapshotExporter(exporter: Exporter): Exporter {
  const supportsPolling = member(exporter, 'supportsPolling')
  const has = (method: keyof Exporter) => typeof member(exporter, method) === 'function'
  return ownCopy<Exporter>({
    ...exporterDescription(exporter),
    ...(supportsPolling === undefined ? {} : { supportsPolling }),
    ...(has('start') ? { start: (host) => startExporter(exporter, host) } : {}),
    export: (batch, signal) => exporter.export(batch, signal),
    ...(has('exportSync')
      ? { exportSync: (batch, deadline, final) => synchronousResult(exporter.exportSync!(batch, deadline, final)) }
      : {}),
    ...(has('abandon') ? { abandon: () => synchronousResult(exporter.abandon!()) } : {}),
    ...(has('keepAlive') ? { keepAlive: (alive) => setKeepAlive(exporter, alive) } : {}),
    ...(has('flush') ? { flush: () => exporter.flush!() } : {}),
    ...(has('shutdown') ? { shutdown: () => exporter.shutdown!() } : {}),
  })
}

/** The members of an exporter that describe it and its destination. */
export type ExporterDescription = Pick<
  Exporter,
  'name' | 'component' | 'encoding' | 'schedule' | 'delivery' | 'batchBytes' | 'destination'
>

/**
 * Returns a copy of the members that describe an exporter. An exporter that wraps another one has the same description, but its own
 * methods, and `supportsPolling` belongs to these.
 */
export function exporterDescription(exporter: Exporter): ExporterDescription {
  const { name, encoding, delivery } = exporter
  const component = ownCopy(member(exporter, 'component'))
  const batchBytes = member(exporter, 'batchBytes')
  const destination = member(exporter, 'destination')
  return ownCopy<ExporterDescription>({
    name,
    ...(component === undefined ? {} : { component }),
    encoding,
    schedule: ownCopy(member(exporter, 'schedule')),
    delivery: ownCopy(delivery),
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
  onRejection(returned, () =>
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
