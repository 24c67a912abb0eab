import { fdExporter } from '../../../exporters/fd/fd-exporter.ts'
import type { Delivery } from '../../../pipeline/exporter.ts'
import type { LineExporter } from '../../shared/line-pipeline.ts'
import type { StandardStream } from '../../../platform/node/standard-streams.ts'

/** Returns the exporter of lines for `process.stdout` or `process.stderr`. */
export function standardExporter(standard: StandardStream, delivery: Delivery): LineExporter {
  return { ...fdExporter({ ...delivery, fd: standard.fd, format: 'json' }), standardStream: standard }
}
