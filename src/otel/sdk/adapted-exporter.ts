import type { Exporter } from '../../pipeline/exporter.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'

/**
 * Returns a copy of an exporter with another schedule and other delivery options. The copy is without `supportsPolling`, which promises
 * a cheap `exportSync`, because callers may replace `exportSync`.
 */
export function adaptedExporter(original: Exporter, changes: Pick<Exporter, 'schedule' | 'delivery'>): Exporter {
  const { supportsPolling: _, ...exporter } = snapshotExporter(original)
  return withoutPrototype<Exporter>({ ...exporter, ...changes })
}
