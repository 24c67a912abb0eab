import type { Encoding } from '../../../src/encode/encoding.ts'
import type { EncodedBatch, Exporter } from '../../../src/pipeline/exporter.ts'

/** Creates an exporter that stores its lines. */
export function exporterTo(encoding: Encoding): { readonly lines: string[]; readonly exporter: Exporter } {
  const lines: string[] = []
  const keep = (batch: EncodedBatch) => {
    lines.push(...batch.text().split(/(?<=\n)/))
    return { status: 'accepted' } as const
  }
  return { lines, exporter: { name: 'kept', encoding, schedule: 'sync', delivery: {}, export: keep, exportSync: keep } }
}
