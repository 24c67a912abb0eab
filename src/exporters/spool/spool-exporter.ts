import type { Exporter } from '../../pipeline/exporter.ts'
import type { SpoolStats } from './stats.ts'

/** An exporter whose records are stored in files while they cannot be delivered. */
export interface SpoolExporter extends Exporter {
  /** Returns the statistics of the records that were written to files. */
  spoolStats(): SpoolStats
}
