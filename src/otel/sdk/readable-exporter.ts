import type { Exporter } from '../../pipeline/exporter.ts'
import { ownCopy } from '../../options/own-members.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'

/** Returns a copy of an exporter with another schedule and other delivery options. It is not polled. */
export function adaptedExporter(given: Exporter, changes: Pick<Exporter, 'schedule' | 'delivery'>): Exporter {
  const { supportsPolling: _, ...exporter } = snapshotExporter(given)
  return ownCopy<Exporter>({ ...exporter, ...changes })
}
