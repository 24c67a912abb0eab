import { createLogger } from 'sluice'
import { fileExporter } from 'sluice/exporters'
import type { UploadLog } from './upload-log.ts'

export function createUploadLog(path: string): UploadLog {
  const log = createLogger({
    level: 'info',
    exporter: fileExporter({ path }),
    redact: { paths: ['row.password', 'headers.authorization'], keys: ['card'] },
  })
  return {
    started: (request, headers) => log.info('upload started', { request, headers }),
    row: (request, seq, row) => log.info('row', { request, seq, row }),
    finished: (request, receipt) => log.info('upload finished', { request, receipt }),
    async close() {
      await log.shutdown()
      return log.stats()
    },
  }
}
