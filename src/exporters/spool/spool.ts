import * as fs from 'node:fs'
import type { Exporter } from '../../pipeline/exporter.ts'
import { writeSync } from '../../platform/node/write-sync.ts'
import type { SpoolOptions } from './options.ts'
import { spoolWith } from './spool-with.ts'
import type { SpoolExporter } from './spool-exporter.ts'

/**
 * Wraps an exporter so that records that it cannot deliver are stored in files and delivered later, in order and at least once:
 * by this process when the destination works again, or by the next process that opens the directory. It is usually used with
 * `otlpExporter`.
 *
 * A batch is sent directly while the exporter works and no older records are queued. A batch that can be retried, or is not
 * answered within a second, is immediately written to a file, and so are later batches. At process exit the remaining records
 * are written to files, which takes milliseconds, and sent only if that fails. A record in a file counts as `written` in the
 * delivery statistics; its later outcome is in `spoolStats()`, and a loss is reported.
 *
 * Files use the format of OpenTelemetry's File Exporter, so the exporter must use OTLP/JSON: `otlpExporter` does when it is in
 * a spool, and so does `fromLogRecordExporter`. The exporter's options `retry.initialDelayMillis` and `retry.maxDelayMillis`
 * determine the delays between attempts, and `retry.maxElapsedMillis` how long a batch is kept that neither the exporter nor
 * the disk accepts.
 *
 * @throws ConfigurationError if the options are invalid or the exporter uses another encoding; never because of the file
 *   system.
 */
export function spool(exporter: Exporter, options: SpoolOptions): SpoolExporter {
  return spoolWith({ ...fs, writeSync }, exporter, options)
}
