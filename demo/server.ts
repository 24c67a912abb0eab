/** An upload server process: `server.ts none|console|pino|sluice [file]`. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createUploadHandler } from './upload.ts'
import { contentType } from './rows.ts'
import type { UploadLog } from './logs/upload-log.ts'
import type { Address, Usage, FinalStats, ServerRequest } from './protocol.ts'

const [mode = '', file = ''] = process.argv.slice(2)
const log = await openLog()
let rows = 0
let handlerMillis = 0

const server = createServer((request, response) => void serve(request, response))
server.listen(0, '127.0.0.1')
process.on('message', (request: ServerRequest) => void handleMessage(request))
process.on('disconnect', () => process.exit())

async function openLog(): Promise<UploadLog> {
  // Loaded on demand, so that the other servers do not load sluice.
  if (mode === 'none') return (await import('./logs/none.ts')).createUploadLog()
  if (mode === 'console') return (await import('./logs/console.ts')).createUploadLog()
  if (mode === 'pino') return (await import('./logs/pino.ts')).createUploadLog(file)
  if (mode === 'sluice') return (await import('./logs/sluice.ts')).createUploadLog(file)
  throw new Error(`usage: server.ts none|console|pino|sluice [file], not ${mode}`)
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const number = Number(/^\/uploads\/(\d+)$/.exec(request.url ?? '')?.[1] ?? NaN)
  if (Number.isNaN(number)) return refuse(response, 404, 'not found')
  if (request.headers['content-type'] !== contentType) return refuse(response, 415, `${contentType} only`)
  try {
    log.started(number, request.headers)
    const handler = createUploadHandler(number, log)
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const before = performance.now()
      handler.push(chunk)
      handlerMillis += performance.now() - before
    }
    const receipt = handler.end()
    rows += receipt.rows
    log.finished(number, receipt)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(receipt))
  } catch (error) {
    refuse(response, 400, String(error))
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { connection: 'close' }).end(reason)
}

async function handleMessage(request: ServerRequest): Promise<void> {
  if (request.type === 'address') return send({ port: (server.address() as AddressInfo).port })
  if (request.type === 'usage') return send(usage())
  server.close()
  server.closeAllConnections()
  send({ stats: await log.close() })
}

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  return { rows, cpuMillis: (user + system) / 1_000, handlerMillis }
}

function send(message: Address | Usage | FinalStats): void {
  process.send?.(message)
}
