import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sluice } from './sluice.ts'
import type { Log, Subject } from './subject.ts'

const info = { severityNumber: 9, severityText: 'info' }
const debug = { severityNumber: 5, severityText: 'debug' }

/** Records that are emitted through a LoggerProvider, as instrumentations do. */
export const sluiceProvider: Subject = {
  title: 'sluice, createLoggerProvider({ exporter: fdExporter({ onFull: "block", maxQueueBytes: 64 MiB }) })',
  whenFull: sluice.whenFull,
  open,
  read: sluice.read,
}

async function open(_setup: unknown, build: string): Promise<Log> {
  const load = async <T>(entry: string) => (await import(pathToFileURL(join(build, `${entry}.js`)).href)) as T
  const { createLoggerProvider } = await load<typeof import('../../src/entries/otel.ts')>('otel')
  const { fdExporter } = await load<typeof import('../../src/entries/exporters.ts')>('exporters')
  const provider = createLoggerProvider({
    exporter: fdExporter({ onFull: 'block', maxQueueBytes: 64 * 1024 * 1024, format: 'json' }),
    defaultLogger: { minimumSeverity: 'info' },
  })
  const logger = provider.getLogger('bench')
  return {
    text: (body) => logger.emit({ ...info, body }),
    attributes: (body, attributes) => logger.emit({ ...info, body, attributes }),
    error: (body, exception) => logger.emit({ ...info, body, exception }),
    disabled: (body, attributes) => logger.emit({ ...debug, body, attributes }),
    flush: async () => void (await provider.forceFlush({ timeoutMillis: 60_000 })),
    stats() {
      const { written, dropped } = provider.stats()
      return { written, lost: dropped.total }
    },
  }
}
