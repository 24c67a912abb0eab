import { fdExporter } from '../../../export/fd.ts'
import type { Delivery } from '../../../pipeline/exporter.ts'
import type { LineExporter } from '../../line-pipeline.ts'
import type { StandardStream } from '../../../runtime/standard-streams.ts'

/** Returns the exporter of lines for `process.stdout` or `process.stderr`. */
export function standardExporter(standard: StandardStream, delivery: Delivery): LineExporter {
  return { ...fdExporter({ ...delivery, fd: standard.fd, format: 'json' }), standard }
}
