import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../../subjects/subject.ts'
import { listen } from '../listen.ts'
import type { Running, Service } from '../service.ts'
import { createUploadsCheck } from './check.ts'
import { handlerNanos } from './handler-nanos.ts'
import { handleUpload, type Receipt } from './handler.ts'
import { asciiNames, csvOf, rowsEach, twoByteNames } from './rows.ts'

export const asciiUploads = uploadsService(asciiNames)
export const twoByteUploads = uploadsService(twoByteNames)

/** A node:http server that accepts CSV and logs a record for each row. */
function uploadsService(names: readonly string[]): Service {
  const body = csvOf(names)
  const headers = { 'content-type': 'text/csv; charset=utf-8' }
  return {
    requests: [{ method: 'POST', path: '/uploads', headers, body }],
    answer: JSON.stringify(handleUpload(body, () => {})),
    recordsPerRequest: rowsEach,
    start: (log) => start(body, log),
    createCheck: () => createUploadsCheck(names),
  }
}

async function start(body: string, log: Log | undefined): Promise<Running> {
  const handler = handlerNanos(Buffer.from(body), rowsEach)
  let uploads = 0
  let records = 0

  function handle(received: Buffer): Receipt {
    const upload = uploads++
    return handleUpload(received.toString(), (seq, { customer, email, amount }) => {
      if (log === undefined) return
      records++
      log.attributes('row imported', { upload, seq, customer, email, amount })
    })
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    // An upload that the load aborted has no end and is not handled.
    request.on('end', () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(handle(Buffer.concat(chunks))))
    })
  }

  return { ...(await listen(serve)), figures: { handler }, records: () => records }
}
