import * as fs from 'node:fs'
import { resolve } from 'node:path'
import type { Exporter } from '../pipeline/exporter.ts'
import { ConfigurationError, type ConfigurationProblem } from '../record/problems.ts'
import { delay } from '../runtime/end-of-turn.ts'
import { refuse } from './options.ts'
import type { RetryTiming } from './retry.ts'
import { SpoolDestination } from './spool-destination.ts'
import { Spooler } from './spool-exporter.ts'
import type { SpoolFiles } from './spool-files.ts'
import { spoolProblems, type SpoolOptions } from './spool-options.ts'
import type { SpoolStats } from './spool-stats.ts'
import { SpoolStore } from './spool-store.ts'
import { spoolEndOf } from './spoolable.ts'

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
  return spoolWith(fs, exporter, options)
}

/** The same with a file system and a time of one's own. */
export function spoolWith(
  files: SpoolFiles,
  exporter: Exporter,
  options: SpoolOptions,
  timing: RetryTiming = { delay, random: Math.random },
): SpoolExporter {
  const problems = spoolProblems(options)
  problems.push(...exporterProblems(exporter))
  refuse(problems)
  const { exporter: inner, retry } = spoolEndOf(exporter)
  if (used.has(exporter)) {
    const message = 'is behind a spool already; make one for each'
    throw new ConfigurationError([{ code: 'SLUICE_EXPORTER_IN_USE', path: 'spool.exporter', message }])
  }
  used.add(exporter)
  const { directory, maxBytes, maxAgeMillis = Infinity, fsync = 'segment' } = options
  const destination = new SpoolDestination(inner, retry, timing)
  const tell = (code: string, message: string): void => destination.tell(code, message)
  const store = new SpoolStore(files, resolve(directory), { maxBytes, maxAgeMillis, fsync }, tell)
  const spooler = new Spooler(store, destination, timing, retry.maxElapsedMillis ?? 120_000)
  const { name, component, encoding, schedule, delivery, batchBytes } = inner
  return {
    name: `spool:${name}`,
    ...(component === undefined ? {} : { component }),
    encoding,
    schedule,
    delivery,
    ...(batchBytes === undefined ? {} : { batchBytes }),
    start: (host) => spooler.start(host),
    export: (batch, signal) => spooler.export(batch, signal),
    exportSync: (batch, deadline, final) => spooler.exportSync(batch, deadline, final),
    keepAlive: (alive) => spooler.keepAlive(alive),
    flush: () => spooler.flush(),
    shutdown: () => spooler.shutdown(),
    spoolStats: () => store.stats,
  } satisfies SpoolExporter
}

const used = new WeakSet<Exporter>()

/** What is kept in files is JSON. */
function exporterProblems(exporter: Exporter): ConfigurationProblem[] {
  const path = 'spool.exporter'
  const value = exporter as Partial<Exporter> | undefined
  if (typeof value?.export !== 'function' || typeof value.encoding?.key !== 'string') {
    return [{ code: 'SLUICE_OPTION_TYPE', path, message: 'must be an exporter, such as otlpExporter()' }]
  }
  const { exporter: inner, problems = [] } = spoolEndOf(exporter)
  if (problems.length > 0 || inner.encoding.key === 'otlp:http/json') return [...problems]
  const message =
    `takes records as ${inner.encoding.key}, and a spool keeps OTLP/JSON: use otlpExporter(), fromLogRecordExporter(), ` +
    'or an exporter whose encoding is that of one of these; a file or a descriptor needs no spool'
  return [{ code: 'SLUICE_OPTION_CONFLICT', path, message }]
}
