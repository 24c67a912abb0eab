import { createLogger } from '../../../src/entries/index.ts'
import {
  fdExporter,
  fileExporter,
  type Exporter,
  type FdExporterOptions,
  type FileExporterOptions,
} from '../../../src/entries/exporters.ts'
import type { LoggerOptions } from '../../../src/logger/types.ts'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject } from './subject.ts'

/** The options that rows use. */
export interface SluiceOptions {
  readonly exporter?: FdExporterOptions | Omit<FileExporterOptions, 'path'>
  readonly logger?: Pick<LoggerOptions, 'exitTimeoutMillis' | 'handleSignals' | 'handleExit'>
}

export const open: OpenSubject = (sink, options, secondSink) => {
  const { exporter: settings, logger } = options as SluiceOptions
  const exporter = exporterTo(sink, settings)
  const all = secondSink === undefined ? exporter : [exporterTo(secondSink, settings), exporter]
  const log = createLogger({ ...logger, exporter: all })
  return {
    log: (level, attributes) => log[level]('fault', attributes),
    flush: async (timeoutMillis) => (await log.flush({ timeoutMillis })).ok,
    stats: () => log.stats().exporters.at(-1),
    secondStats: () => log.stats().exporters.at(-2),
    reopen: () => ('reopen' in exporter ? (exporter.reopen as () => void)() : undefined),
    shutdown: async () => void (await log.shutdown()),
  }
}

function exporterTo(sink: Sink, options: SluiceOptions['exporter']): Exporter {
  return sink.to === 'file' ? fileExporter({ ...options, path: sink.path }) : fdExporter(options)
}
