/** The client process: prepares uploads, sends the same bytes to each server in turn, and checks the receipts. */
import { Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { contentType, uploadOf } from './rows.ts'
import { tokenOf } from './secrets.ts'
import type { Upload } from './rows.ts'
import type { ClientRequest, Prepared, Progress, Sent } from './protocol.ts'

const progressEvery = 10
const agent = new Agent({ keepAlive: true })
let uploads: readonly Upload[] = []
let rowsEach = 0

process.on('message', (request: ClientRequest) => void handleMessage(request))
process.on('disconnect', () => process.exit())

async function handleMessage(request: ClientRequest): Promise<void> {
  if (request.type === 'prepare') return sendMessage(prepare(request.from, request.count, request.rows))
  sendMessage(await sendAll(request.port, request.inFlight))
}

// Create the rows before the measurement, because the processes share a machine.
function prepare(from: number, count: number, rows: number): Prepared {
  rowsEach = rows
  uploads = Array.from({ length: count }, (_, i) => uploadOf(from + i, rows))
  return { bytes: uploads.reduce((sum, { body }) => sum + body.length, 0) }
}

async function sendAll(port: number, inFlight: number): Promise<Sent> {
  let next = 0
  async function worker(): Promise<void> {
    for (let upload = uploads[next++]; upload !== undefined; upload = uploads[next++]) {
      await send(upload, port)
      if (next % progressEvery === 0) sendMessage({ progress: next })
    }
  }
  const before = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  return { requests: uploads.length, seconds: (performance.now() - before) / 1_000 }
}

async function send(upload: Upload, port: number): Promise<void> {
  const { status, body } = await post(upload, port)
  const expected = JSON.stringify({ rows: rowsEach, valid: rowsEach, cents: upload.cents })
  if (status !== 200 || body !== expected) {
    throw new Error(`upload ${upload.request}: expected 200 ${expected}, got ${status} ${body}`)
  }
}

function post({ request, body }: Upload, port: number): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/uploads/${request}`,
      headers: { 'content-type': contentType, 'content-length': body.length, authorization: tokenOf(request) },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      text(response).then((received) => resolve({ status: response.statusCode, body: received }), reject)
    })
    outgoing.end(body)
  })
}

function sendMessage(message: Prepared | Sent | Progress): void {
  process.send?.(message)
}
