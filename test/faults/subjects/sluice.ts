import { createLogger } from '../../../src/index.ts'
import { fdExporter, fileExporter, type FdExporterOptions, type FileExporterOptions } from '../../../src/exporters.ts'
import type { LoggerOptions } from '../../../src/logger/types.ts'
import type { OpenSubject } from './subject.ts'

/** What rows ask of us: the exporter's options, and the logger's. */
export interface SluiceOptions {
  readonly exporter?: FdExporterOptions | Omit<FileExporterOptions, 'path'>
  readonly logger?: Pick<LoggerOptions, 'exitTimeoutMillis' | 'handleSignals' | 'handleExit'>
}

export const open: OpenSubject = (sink, options) => {
  const { exporter, logger } = options as SluiceOptions
  const log = createLogger({
    ...logger,
    exporter: sink.to === 'file' ? fileExporter({ ...exporter, path: sink.path }) : fdExporter(exporter),
  })
  return {
    log: (level, attributes) => log[level]('fault', attributes),
    flush: async (timeoutMillis) => (await log.flush({ timeoutMillis })).ok,
    ledger: () => log.stats().exporters[0],
    shutdown: async () => void (await log.shutdown()),
  }
}
