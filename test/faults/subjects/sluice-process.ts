import { createLogger } from '../../../src/entries/index.ts'
import { processExporter, type ProcessExporterOptions } from '../../../src/entries/exporters.ts'
import type { LoggerOptions } from '../../../src/logger/types.ts'
import type { OpenSubject } from './subject.ts'

/** What rows ask of us: the exporter's options, and the logger's. */
export interface ProcessOptions {
  readonly exporter?: ProcessExporterOptions
  readonly logger?: Pick<LoggerOptions, 'exitTimeoutMillis' | 'handleSignals' | 'handleExit'>
}

/** Ours, with the lines written by a process of its own. */
export const open: OpenSubject = (sink, options) => {
  const { exporter, logger } = options as ProcessOptions
  const log = createLogger({
    ...logger,
    exporter: processExporter(sink.to === 'file' ? { ...exporter, path: sink.path } : exporter),
  })
  return {
    log: (level, attributes) => log[level]('fault', attributes),
    flush: async (timeoutMillis) => (await log.flush({ timeoutMillis })).ok,
    ledger: () => log.stats().exporters[0],
    shutdown: async () => void (await log.shutdown()),
  }
}
