import type { Exporter } from '../../pipeline/exporter.ts'
import { ownCopy } from '../../options/own-members.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'

/** Returns a copy of an exporter with another schedule and other delivery options. */
export function adaptedExporter(
  given: Exporter,
  changes: Pick<Exporter, 'schedule' | 'delivery'> & Partial<Pick<Exporter, 'export'>>,
): Exporter {
  const exporter = snapshotExporter(given)
  const { name, component, encoding, batchBytes, destination } = exporter
  return ownCopy<Exporter>({
    name,
    ...(component === undefined ? {} : { component }),
    encoding,
    ...(batchBytes === undefined ? {} : { batchBytes }),
    ...(destination === undefined ? {} : { destination }),
    start: (host) => exporter.start?.(host),
    export: (batch, signal) => exporter.export(batch, signal),
    ...(exporter.exportSync === undefined
      ? {}
      : { exportSync: (batch, deadline, final) => exporter.exportSync!(batch, deadline, final) }),
    ...(exporter.abandon === undefined ? {} : { abandon: () => exporter.abandon!() }),
    keepAlive: (alive) => exporter.keepAlive?.(alive),
    flush: async () => exporter.flush?.(),
    shutdown: async () => exporter.shutdown?.(),
    ...changes,
  })
}
