import { member, ownCopy } from '../options/own-members.ts'
import { disownPromise, onRejection } from '../options/observe-promise.ts'
import type { Exporter, ExporterHost, ExportResult } from './exporter.ts'

/**
 * An exporter as a pipeline works with it: its members and those of its class, and nothing that somebody has put on
 * `Object.prototype`, which would be an `exportSync` or a bound of the queue that no one has asked for. Methods are looked up
 * when they are called.
 */
export function snapshotExporter(exporter: Exporter): Exporter {
  const { name, encoding, delivery } = exporter
  const schedule = ownCopy(member(exporter, 'schedule'))
  const component = ownCopy(member(exporter, 'component'))
  const batchBytes = member(exporter, 'batchBytes')
  const destination = member(exporter, 'destination')
  const supportsPolling = member(exporter, 'supportsPolling')
  const has = (method: keyof Exporter) => typeof member(exporter, method) === 'function'
  return ownCopy<Exporter>({
    name,
    ...(component === undefined ? {} : { component }),
    encoding,
    schedule,
    delivery: ownCopy(delivery),
    ...(batchBytes === undefined ? {} : { batchBytes }),
    ...(destination === undefined ? {} : { destination }),
    ...(supportsPolling === undefined ? {} : { supportsPolling }),
    ...(has('start') ? { start: (host) => started(exporter, host) } : {}),
    export: (batch, signal) => exporter.export(batch, signal),
    ...(has('exportSync')
      ? { exportSync: (batch, deadline, final) => observed(exporter.exportSync!(batch, deadline, final)) }
      : {}),
    ...(has('abandon') ? { abandon: () => observed(exporter.abandon!()) } : {}),
    ...(has('keepAlive') ? { keepAlive: (alive) => keptAlive(exporter, alive) } : {}),
    ...(has('flush') ? { flush: () => exporter.flush!() } : {}),
    ...(has('shutdown') ? { shutdown: () => exporter.shutdown!() } : {}),
  })
}

/** What `start` throws, the creator of the logger gets. What its promise rejects with, nobody waits for: it is reported. */
function started(exporter: Exporter, host: ExporterHost): void {
  const answer: unknown = exporter.start!(host)
  onRejection(answer, () => host.reportDiagnostic('SLUICE_EXPORT_FAILED', `${exporter.name} could not be started`))
}

/** Which timers hold the process is nothing that may end a flush. */
function keptAlive(exporter: Exporter, alive: boolean): void {
  try {
    const answer: unknown = exporter.keepAlive!(alive)
    disownPromise(answer)
  } catch {
    // the exporter decides by itself then
  }
}

/** An answer that has to be there at once; a promise is none, and must not end the process. */
function observed(answer: ExportResult): ExportResult {
  disownPromise(answer)
  return answer
}
