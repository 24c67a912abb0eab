import { createLogger } from '../../../src/entries/index.ts'
import { processExporter, type ProcessExporterOptions } from '../../../src/entries/exporters.ts'
import type { LoggerOptions } from '../../../src/logger/types.ts'
import type { OpenSubject } from './subject.ts'

/** The options that rows use. */
export interface ProcessOptions {
  readonly exporter?: ProcessExporterOptions
  readonly logger?: Pick<LoggerOptions, 'exitTimeoutMillis' | 'handleSignals' | 'handleExit'>
}

/** sluice with a writer process. */
export const open: OpenSubject = (sink, options) => {
  const { exporter, logger } = options as ProcessOptions
  const log = createLogger({
    ...logger,
    exporter: processExporter(sink.to === 'file' ? { ...exporter, path: sink.path } : exporter),
  })
  return {
    log: (level, attributes) => log[level]('fault', attributes),
    flush: async (timeoutMillis) => (await log.flush({ timeoutMillis })).ok,
    stats: () => log.stats().exporters[0],
    shutdown: async () => void (await log.shutdown()),
  }
}
