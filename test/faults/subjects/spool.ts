import * as fs from 'node:fs'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpExporter } from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { OtlpExporterOptions } from '../../../src/exporters/otlp/options.ts'
import type { SpoolOptions } from '../../../src/exporters/spool/options.ts'
import { spoolWith } from '../../../src/exporters/spool/spool-with.ts'
import type { OpenSubject } from './subject.ts'
import { dyingFiles, type Death } from '../../exporters/spool/dying-files.ts'

/** The options of a process with a spool. */
export interface SpoolSubjectOptions {
  readonly url: string
  readonly spool?: Partial<SpoolOptions>
  readonly otlp?: OtlpExporterOptions
  readonly death?: Death
}

/** sluice with a spool in the directory that is the path of the sink. */
export const open: OpenSubject = (sink, options) => {
  const { url, spool, otlp, death: cause } = options as SpoolSubjectOptions
  const directory = (sink as { path: string }).path
  const retry = { initialDelayMillis: 5, maxDelayMillis: 20, ...otlp?.retry }
  const exporter = spoolWith(
    cause === undefined ? fs : dyingFiles(cause),
    otlpExporter({ url, scheduledDelayMillis: 5, ...otlp, retry }),
    { directory, maxBytes: 1024 * 1024, ...spool },
  )
  const log = createLogger({ exporter, onDiagnostic: () => {} })
  return {
    log: (level, attributes) => log[level]('fault', attributes),
    flush: async (timeoutMillis) => (await log.flush({ timeoutMillis })).ok,
    stats: () => Object.assign(log.stats().exporters[0]!, { spool: exporter.spoolStats() }),
    shutdown: async () => void (await log.shutdown()),
  }
}
