import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { addLogsRequest } from '../../src/viewer/otlp/add-logs.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestOf, type TestRecord } from './support.ts'
import { RunningViewer } from './running-viewer.ts'

interface LogRecord {
  readonly body: { readonly stringValue: string }
  readonly severityNumber: number
}
interface LogsRequest {
  readonly resourceLogs: readonly {
    readonly resource: object
    readonly scopeLogs: readonly { readonly logRecords: readonly LogRecord[] }[]
  }[]
}
interface LogsResponse {
  readonly data: LogsRequest
  readonly totalCount: number
  readonly returnedCount: number
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const records: readonly TestRecord[] = [
  { time: 1_000, body: 'started', severityNumber: 9, service: 'shop' },
  {
    time: 2_000,
    body: 'order placed',
    severityNumber: 9,
    service: 'shop',
    traceId: trace,
    attributes: { tenant: 'acme' },
  },
  { time: 3_000, body: 'retry', severityNumber: 13, service: 'shop', traceId: trace },
  { time: 4_000, body: 'mail failed', severityNumber: 17, service: 'mail' },
  { time: 5_000, body: 'crashed', severityNumber: 21, service: 'mail' },
]
let viewer: RunningViewer

beforeEach(async () => {
  viewer = await RunningViewer.start()
  add(records)
})

afterEach(() => viewer.close())

describe('GET /api/telemetry/logs', () => {
  test.each([
    ['', ['started', 'order placed', 'retry', 'mail failed', 'crashed'], 5],
    ['limit=2', ['mail failed', 'crashed'], 5],
    ['resource=shop', ['started', 'order placed', 'retry'], 3],
    ['severity=Warning', ['retry', 'mail failed', 'crashed'], 3],
    ['severity=error', ['mail failed', 'crashed'], 2],
    ['severity=Critical', ['crashed'], 1],
    [`traceId=${trace}`, ['order placed', 'retry'], 2],
    [`traceId=${trace.toUpperCase()}&severity=Warning`, ['retry'], 1],
    ['q=tenant%3Dacme', ['order placed'], 1],
    ['q=%22failed%22&resource=mail&limit=1', ['mail failed'], 1],
    ['resource=mail&severity=Trace&limit=10000', ['mail failed', 'crashed'], 2],
    ['follow=false&limit=1', ['crashed'], 5],
  ])(
    'with %j returns the newest records that match, in the order of their times',
    async (parameters, bodies, total) => {
      const { stdout } = await curl(`/api/telemetry/logs?${parameters}`)
      const { data, totalCount, returnedCount } = JSON.parse(stdout) as LogsResponse
      expect(bodiesOf(data)).toEqual(bodies)
      expect({ totalCount, returnedCount }).toEqual({ totalCount: total, returnedCount: bodies.length })
    },
  )

  test('returns OTLP/JSON, whose records are equal if they are sent again', async () => {
    const { stdout } = await curl('/api/telemetry/logs')
    const other = await RunningViewer.start()
    const { data } = JSON.parse(stdout) as LogsResponse
    const { status } = await other.post('/v1/logs', JSON.stringify(data))
    expect(status).toBe(200)
    const { text } = await other.send('/api/telemetry/logs')
    expect(JSON.parse(text)).toEqual(JSON.parse(stdout))
    // Consecutive records of one resource are together.
    expect(data.resourceLogs).toHaveLength(2)
    other.close()
  })

  test.each([
    ['resource=unknown', 404, 'unknown'],
    ['resource=', 404, 'resource'],
    ['severity=loud', 400, 'Information'],
    ['traceId=1', 400, '32 hexadecimal digits'],
    ['limit=x', 400, 'not a number'],
    ['limit=0', 400, '1 to 10000'],
    ['limit=1.5', 400, '1 to 10000'],
    ['limit=1e9', 400, '1 to 10000'],
    ['follow=perhaps', 400, 'true or false'],
    ['q=level%3D', 400, 'error'],
    ['q=message%7E%27(a%2B)%2B%24%27', 400, 'exceeded'],
  ])('with %s is answered with an error', async (parameters, status, text) => {
    add([{ time: 6_000, body: `${'a'.repeat(10_000)}!` }])
    const response = await viewer.send(`/api/telemetry/logs?${parameters}`)
    expect(response.status).toBe(status)
    expect(response.text).toContain(text)
  })
})

describe('GET /api/telemetry/logs?follow=true', () => {
  test('sends the records that match, and then new ones, each in a line of its own', async () => {
    const child = spawn('curl', [
      '-sN',
      `http://127.0.0.1:${viewer.port}/api/telemetry/logs?follow=true&severity=Error`,
    ])
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    await waitUntil(() => lines.length === 2)
    add([
      { time: 1, body: 'late', severityNumber: 17 },
      { time: 2, body: 'ignored', severityNumber: 9 },
      { time: 3, body: 'later', severityNumber: 17 },
    ])
    await waitUntil(() => lines.length === 4)
    add([{ time: 4, body: 'last', severityNumber: 18 }])
    await waitUntil(() => lines.length === 5)
    const bodies = lines.flatMap((line) => bodiesOf(JSON.parse(line) as LogsRequest))
    expect(bodies).toEqual(['mail failed', 'crashed', 'late', 'later', 'last'])
    child.kill()
  })

  test('a client that does not read costs no memory for each record, and gets the records that are left when it reads again', async () => {
    const other = await RunningViewer.start({ maxBytes: 16_000_000 })
    const socket = await other.connect()
    socket.pause()
    socket.write('GET /api/telemetry/logs?follow=true HTTP/1.1\r\nhost: localhost\r\n\r\n')
    const request = requestOf(Array.from({ length: 500 }, () => ({ body: 'x'.repeat(2_000) })))
    const before = process.memoryUsage().rss
    for (let at = 0; at < 150; at++) {
      addLogsRequest(other.server.logs, request, 0)
      if (at % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    // 150 MB were added, and as JSON they would have even more bytes.
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
    addLogsRequest(other.server.logs, requestOf([{ body: 'the end' }]), 0)
    let tail = ''
    socket.on('data', (bytes) => (tail = (tail + bytes.toString('latin1')).slice(-2_000)))
    socket.resume()
    await waitUntil(() => tail.includes('"stringValue":"the end"'))
    socket.destroy()
    other.close()
  })

  test('at most 16 clients follow, and another can when one has gone', async () => {
    const sockets = await Promise.all(Array.from({ length: 16 }, () => viewer.connect()))
    let heads = 0
    for (const socket of sockets) {
      socket.once('data', () => heads++)
      socket.write('GET /api/telemetry/logs?follow=true HTTP/1.1\r\nhost: localhost\r\n\r\n')
    }
    await waitUntil(() => heads === 16)
    const refused = await viewer.send('/api/telemetry/logs')
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    sockets[0]!.destroy()
    await waitUntil(async () => (await viewer.send('/api/telemetry/logs')).status === 200)
    for (const socket of sockets) socket.destroy()
  })
})

describe('GET /api/live', () => {
  test('a view whose regular expression takes too long ends with a message, and other requests are answered meanwhile', async () => {
    add([{ body: `${'a'.repeat(10_000)}!` }])
    const child = spawn('curl', ['-sN', `http://127.0.0.1:${viewer.port}/api/live?q=message~%27(a%2B)%2B%24%27`])
    let text = ''
    child.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()))
    const { status } = await viewer.send('/api/keys')
    expect(status).toBe(200)
    await waitUntil(() => text.includes('event: failure'))
    expect(text).toContain('SLUICE_QUERY_TIMEOUT')
    await waitUntil(() => viewer.server.pageCount === 0)
    const again = spawn('curl', ['-sN', `http://127.0.0.1:${viewer.port}/api/live?q=message~%27order%27`])
    let state = ''
    again.stdout.on('data', (bytes: Buffer) => (state += bytes.toString()))
    await waitUntil(() => state.includes('"rows":1,'))
    again.kill()
  })
})

function add(added: readonly TestRecord[]): void {
  addLogsRequest(viewer.server.logs, requestOf(added), 0)
}

async function curl(path: string): Promise<{ readonly stdout: string }> {
  return promisify(execFile)('curl', ['-sf', `http://127.0.0.1:${viewer.port}${path}`])
}

function bodiesOf({ resourceLogs }: LogsRequest): string[] {
  return resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => logRecords.map(({ body }) => body.stringValue)),
  )
}
