import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Program } from './program.ts'

let program: Program
let server: Server
let endpoint: string
/** The path, the records and the resource of each received request. */
let received: { readonly path: string; readonly messages: readonly string[]; readonly resource: string }[]

beforeAll(() => {
  program = new Program()
})
afterAll(() => program.remove())

beforeEach(async () => {
  received = []
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const burst = (count: number, end = ''): string => `
  import { logs } from '@opentelemetry/api'
  const logger = logs.getLogger('a')
  for (let i = 0; i < ${count}; i++) logger.emit({ body: 'record ' + i, severityNumber: 9 })
  ${end}`

/** Ends a program after its export, so that the exit of the process does not replace it. */
const flush = `await (await import('sluice/register')).provider.forceFlush()`

/** Returns the distinct requests, because a request without a response is sent again when the process exits. */
const requests = () => [...new Set(received.map(({ messages }) => messages.join()))]

const run = (text: string, env: Record<string, string> = {}) =>
  program.run(['--import', 'sluice/register'], 'burst.mjs', text, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...env },
  })

// Requirements: ENV9
test('the default exporter is otlp, and it sends all records before the program exits', async () => {
  const { code, stderr } = await run(burst(3), { OTEL_SERVICE_NAME: 'shop' })
  expect([code, stderr]).toEqual([0, ''])
  expect(received.map(({ path, messages }) => [path, messages])).toEqual([
    ['/v1/logs', ['record 0', 'record 1', 'record 2']],
  ])
  expect(received[0]!.resource).toContain('"shop"')
})

// Requirements: D15
// Fault rows: 15
test('records emitted right before process.exit() are sent, unlike with the official SDK', async () => {
  const { code } = await run(burst(1_000, 'process.exit(3)'))
  const messages = received.flatMap((request) => request.messages)
  expect([code, messages.length, new Set(messages).size]).toEqual([3, 1_000, 1_000])
})

// Requirements: ENV13
test('OTEL_BLRP_MAX_EXPORT_BATCH_SIZE limits the number of records in a request', async () => {
  await run(burst(5), { OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '2' })
  expect(requests().map((messages) => messages.split(',').length)).toEqual([2, 2, 1])
})

// Requirements: ENV13, D1
test('OTEL_BLRP_MAX_QUEUE_SIZE limits the number of queued records, and dropped records are reported', async () => {
  const env = { OTEL_BLRP_MAX_QUEUE_SIZE: '4', OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '100' }
  const { stderr } = await run(burst(50), env)
  expect(stderr).toContain('SLUICE_QUEUE_FULL')
  expect(Math.max(...received.map(({ messages }) => messages.length))).toBeLessThanOrEqual(4)
  expect(received.flatMap(({ messages }) => messages).at(-1)).toMatch(/^\d+ records were dropped$/)
})

// Requirements: ENV13, BLR2
test('a batch is never larger than the queue, so a full queue is exported immediately', async () => {
  const env = {
    OTEL_BLRP_MAX_QUEUE_SIZE: '4',
    OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '100',
    OTEL_BLRP_SCHEDULE_DELAY: '5000',
  }
  const { stderr } = await run(burst(4, 'setTimeout(() => logger.emit({ body: "more" }), 300)'), env)
  expect([stderr, requests()]).toEqual(['', ['record 0,record 1,record 2,record 3', 'more']])
})

// Requirements: ENV13
test('OTEL_BLRP_SCHEDULE_DELAY sets how long records are queued before they are exported', async () => {
  const later = 'setTimeout(() => logger.emit({ body: "later" }), 150)'
  await run(burst(1, later), { OTEL_BLRP_SCHEDULE_DELAY: '20' })
  expect(requests()).toEqual(['record 0', 'later'])
  received = []
  await run(burst(1, later), { OTEL_BLRP_SCHEDULE_DELAY: '5000' })
  expect(requests()).toEqual(['record 0,later'])
})

// Requirements: ENV3, D30
test.each(['0', '-1', '1.5', 'many', '99999999999'])(
  'a queue size or batch size of %j is ignored with a warning',
  async (value) => {
    for (const name of ['OTEL_BLRP_MAX_QUEUE_SIZE', 'OTEL_BLRP_MAX_EXPORT_BATCH_SIZE']) {
      received = []
      const { code, stderr } = await run(burst(1), { [name]: value })
      expect(stderr).toMatch(new RegExp(`^sluice: SLUICE_ENV_INVALID: ${name} must be an integer of 1 or more`))
      expect([code, received.length]).toEqual([0, 1])
    }
  },
)

// Requirements: ENV5, D30
test('an export timeout of 0 disables the timeout, while the official SDK times out immediately', async () => {
  const { stderr } = await run(burst(1, flush), { OTEL_BLRP_EXPORT_TIMEOUT: '0' })
  expect([stderr, received.map(({ messages }) => messages)]).toEqual(['', [['record 0']]])
})

// Requirements: ENV5, ENV13
test('a slow export fails after an export timeout of 100 ms and succeeds with an export timeout of 0', async () => {
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // The body of an aborted request cannot be read.
    setTimeout(() => void answer(request, response).catch(() => {}), 400)
  })
  const { stderr } = await run(burst(1, flush), { OTEL_BLRP_EXPORT_TIMEOUT: '100' })
  expect(stderr).toContain('SLUICE_EXPORT_TIMEOUT')
  received = []
  const { stderr: unbounded } = await run(burst(1, flush), { OTEL_BLRP_EXPORT_TIMEOUT: '0' })
  expect([unbounded, received.map(({ messages }) => messages)]).toEqual(['', [['record 0']]])
})

// Requirements: ENV5
test.each(['EXPORT_TIMEOUT', 'SCHEDULE_DELAY'])(
  'OTEL_BLRP_%s is ignored with a warning unless it is an integer of 0 or more',
  async (name) => {
    for (const value of ['-1', '1.5', '1s']) {
      const { code, stderr } = await run(burst(1), { [`OTEL_BLRP_${name}`]: value })
      expect(stderr).toContain(`OTEL_BLRP_${name} must be an integer of 0 or more`)
      expect([code, received.length]).toEqual([0, 1])
      received = []
    }
  },
)

test('a program that emits no records opens no connection and exits in less than 5 s', async () => {
  let connections = 0
  server.on('connection', () => connections++)
  const { code, stderr, elapsed } = await run('')
  expect([code, stderr, connections]).toEqual([0, '', 0])
  expect(elapsed).toBeLessThan(5_000)
})

test('a program with an unreachable collector exits in less than 10 s and reports lost records', async () => {
  const { code, stderr, elapsed } = await run(burst(2, 'process.exit(0)'), {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  })
  expect([code, elapsed < 10_000]).toEqual([0, true])
  expect(stderr).toMatch(/SLUICE_RECORDS_LOST: 2 records/)
})

/** Stores an OTLP/JSON request in `received` and responds to it. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { resourceLogs } = JSON.parse(await bodyOf(request))
  const [{ scopeLogs, resource }] = resourceLogs
  const messages = scopeLogs.flatMap((scope: any) => scope.logRecords.map((record: any) => record.body.stringValue))
  received.push({ path: request.url!, messages, resource: JSON.stringify(resource) })
  response.setHeader('content-type', 'application/json').end('{}')
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}
