import * as fs from 'node:fs'
import type { Exporter } from '../../pipeline/exporter.ts'
import { writeSync } from '../../platform/node/write-sync.ts'
import type { SpoolOptions } from './options.ts'
import type { SpoolStats } from './stats.ts'
import { spoolWith } from './spool-with.ts'

/** An exporter whose records wait in files while they cannot be delivered. */
export interface SpoolExporter extends Exporter {
  /** What has become of the records that went into files. */
  spoolStats(): SpoolStats
}

/**
 * Keeps what an exporter cannot deliver in files, and delivers it later, in order and at least once: in this process when
 * the destination works again, else in the next one that opens the directory. Normally around `otlpExporter`.
 *
 * A batch goes straight to the exporter while it works and nothing older waits. A batch that is not taken, or not answered
 * within a second, goes into a file at once, and so do those that come after it. When the process ends the rest is written
 * into files and not sent: that takes milliseconds. A record in a file is `written` in the ledger; what becomes of it then is
 * in `spoolStats()`, and its loss is told.
 *
 * Files are in the format of OpenTelemetry's File Exporter (FIL1), so the exporter has to speak OTLP/JSON: `otlpExporter`
 * does inside of a spool, `fromLogRecordExporter` does. Its `retry.initialDelayMillis` and `maxDelayMillis` say when it is
 * asked again, and `maxElapsedMillis` how long a batch is held that neither it nor the disk takes.
 *
 * @throws ConfigurationError when the options are wrong, or the exporter speaks something else; never because of the file
 * system.
 */
export function spool(exporter: Exporter, options: SpoolOptions): SpoolExporter {
  return spoolWith({ ...fs, writeSync }, exporter, options)
}
