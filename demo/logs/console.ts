import type { UploadLog } from './upload-log.ts'

/** The same lines with console.log, which has no redaction. */
export function createUploadLog(): UploadLog {
  return {
    started: (request, headers) => info('upload started', { request, headers }),
    row: (request, seq, row) => info('row', { request, seq, row }),
    finished: (request, receipt) => info('upload finished', { request, receipt }),
    // A console writes to a file synchronously, so there is nothing to wait for.
    close: () => Promise.resolve(undefined),
  }
}

function info(message: string, attributes: object): void {
  console.log(JSON.stringify({ timestamp: new Date().toISOString(), level: 'info', message, attributes }))
}
