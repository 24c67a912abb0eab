import type { UploadLog } from './upload-log.ts'

/** The same lines as sluice writes, by console.log, but nothing is redacted: console.log has no way to. */
export function createUploadLog(): UploadLog {
  return {
    started: (request, headers) => info('upload started', { request, headers }),
    row: (request, seq, row) => info('row', { request, seq, row }),
    finished: (request, receipt) => info('upload finished', { request, receipt }),
    // A console on a file writes synchronously: nothing is left to wait for.
    close: () => Promise.resolve(undefined),
  }
}

function info(message: string, attributes: object): void {
  console.log(JSON.stringify({ timestamp: new Date().toISOString(), level: 'info', message, attributes }))
}
