import { member } from '../record/member.ts'
import type { Delivery, Exporter } from './exporter.ts'

/**
 * An exporter as a pipeline works with it: its members and those of its class, and nothing that somebody has put on
 * `Object.prototype`, which would be an `exportSync` or a bound of the queue that no one has asked for. Methods are looked up
 * when they are called.
 */
export function ownExporter(exporter: Exporter): Exporter {
  const { name, encoding, delivery } = exporter
  const schedule = member(exporter, 'schedule')
  const component = member(exporter, 'component')
  const batchBytes = member(exporter, 'batchBytes')
  const destination = member(exporter, 'destination')
  const answersInTurn = member(exporter, 'answersInTurn')
  const has = (method: keyof Exporter) => typeof member(exporter, method) === 'function'
  return Object.assign(Object.create(null) as Exporter, {
    name,
    ...(component === undefined ? {} : { component }),
    encoding,
    schedule,
    delivery: Object.assign(Object.create(null) as Delivery, delivery),
    ...(batchBytes === undefined ? {} : { batchBytes }),
    ...(destination === undefined ? {} : { destination }),
    ...(answersInTurn === undefined ? {} : { answersInTurn }),
    ...(has('start') ? { start: (host) => exporter.start!(host) } : {}),
    export: (batch, signal) => exporter.export(batch, signal),
    ...(has('exportSync')
      ? { exportSync: (batch, deadline, final) => exporter.exportSync!(batch, deadline, final) }
      : {}),
    ...(has('abandon') ? { abandon: () => exporter.abandon!() } : {}),
    ...(has('keepAlive') ? { keepAlive: (alive) => exporter.keepAlive!(alive) } : {}),
    ...(has('flush') ? { flush: () => exporter.flush!() } : {}),
    ...(has('shutdown') ? { shutdown: () => exporter.shutdown!() } : {}),
  } satisfies Exporter)
}
