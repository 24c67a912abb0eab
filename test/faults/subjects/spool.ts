import * as fs from 'node:fs'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpExporter } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { OtlpExporterOptions } from '../../../src/exporters/otlp/options.ts'
import type { SpoolOptions } from '../../../src/exporters/spool/options.ts'
import { spoolWith } from '../../../src/exporters/spool/spool-with.ts'
import type { OpenSubject } from './subject.ts'
import { dyingFiles, type Death } from '../../exporters/spool/dying-files.ts'

/** What a test asks of a process with a spool. */
export interface SpoolSubjectOptions {
  readonly url: string
  readonly spool?: Partial<SpoolOptions>
  readonly otlp?: OtlpExporterOptions
  readonly death?: Death
}

/** A logger of the fault harness that has a spool; the sink's path is the directory. */
export const open: OpenSubject = (sink, options) => {
  const { url, spool, otlp, death } = options as SpoolSubjectOptions
  const directory = (sink as { path: string }).path
  const retry = { initialDelayMillis: 5, maxDelayMillis: 20, ...otlp?.retry }
  const exporter = spoolWith(
    death === undefined ? fs : dyingFiles(death),
    otlpExporter({ url, scheduledDelayMillis: 5, ...otlp, retry }),
    { directory, maxBytes: 1024 * 1024, ...spool },
  )
  const log = createLogger({ exporter, onDiagnostic: () => {} })
  return {
    log: (level, attributes) => log[level]('fault', attributes),
    flush: async (timeoutMillis) => (await log.flush({ timeoutMillis })).ok,
    ledger: () => Object.assign(log.stats().exporters[0]!, { spool: exporter.spoolStats() }),
    shutdown: async () => void (await log.shutdown()),
  }
}
