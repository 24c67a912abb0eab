import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { AsyncLocalStorage } from 'node:async_hooks'
import * as http from 'node:http'
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { isTracingSuppressed } from '@opentelemetry/core'
import { createLogger } from '../../../src/create/create-logger.ts'
import { otlpExporterIn } from '../../../src/exporters/otlp/otlp-exporter.ts'
import { sdkVersion } from '../../../src/record/sdk-version.ts'
import { delay } from '../../../src/platform/node/end-of-turn.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import {
  fakeCollector,
  partialSuccess,
  resetAfterBody,
  neverRespond,
  status,
  type Responder,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeLoggers, numbers, otlpLogger } from './otlp-logger.ts'

let collector: FakeCollector

beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(async () => {
  await closeLoggers()
  await collector.close()
})

const options = (more: Parameters<typeof otlpLogger>[0] = {}) => ({ url: collector.url, ...more })

describe.each(['http/protobuf', 'http/json'] as const)('requests of %s', (protocol) => {
  // Requirements: OTL1, OTL2
  test('every record is sent once and in order, in batches of 512, one request at a time', async () => {
    const { log, logAll, deliveryStats, problems } = otlpLogger(options({ protocol }))
    logAll(2_000)
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(collector.sequence).toEqual(numbers(2_000))
    expect(collector.received.map(({ sequence }) => sequence.length)).toEqual([512, 512, 512, 464])
    expect(collector.connectionCount).toBe(1)
    expect(collector.received[0]).toMatchObject({
      method: 'POST',
      path: '/v1/logs',
      headers: { 'content-type': protocol === 'http/json' ? 'application/json' : 'application/x-protobuf' },
    })
    expect(deliveryStats()).toMatchObject({ written: 2_000, maybeDuplicated: 0 })
    expect(problems).toEqual([])
    await log.shutdown()
  })

  // Requirements: OTL5
  test('a gzip request has a Content-Encoding header and the same records', async () => {
    const { log, logAll } = otlpLogger(options({ protocol, compression: 'gzip' }))
    logAll(300, { pad: 'x'.repeat(200) })
    await log.flush()
    const [{ headers, body, sequence }] = collector.received as [(typeof collector.received)[0]]
    expect(headers['content-encoding']).toBe('gzip')
    expect(Number(headers['content-length'])).toBeLessThan(body.length / 5)
    expect(sequence).toEqual(numbers(300))
    await log.shutdown()
  })

  test('a request without compression has no Content-Encoding header', async () => {
    const { log, logAll } = otlpLogger(options({ protocol, compression: 'none' }))
    logAll(1)
    await log.flush()
    expect(collector.received[0]!.headers['content-encoding']).toBeUndefined()
    await log.shutdown()
  })
})

// Requirements: OTL15
test('User-Agent contains the exporter, its language and version, after the product', async () => {
  for (const [headers, expected] of [
    [{}, `Sluice-OTLP-Exporter-JavaScript/${sdkVersion}`],
    [{ 'User-Agent': 'shop/1.2' }, `shop/1.2 Sluice-OTLP-Exporter-JavaScript/${sdkVersion}`],
  ] as const) {
    const { log, logAll } = otlpLogger(options({ headers }))
    logAll(1)
    await log.shutdown()
    expect(collector.received.at(-1)!.headers['user-agent']).toBe(expected)
  }
})

describe('request headers', () => {
  test('any number of headers functions share one beforeExit listener until they are shut down', async () => {
    const before = process.listenerCount('beforeExit')
    const loggers = numbers(12).map(() => otlpLogger(options({ headers: () => ({}) })).log)
    expect(process.listenerCount('beforeExit')).toBe(before + 1)
    await Promise.all(loggers.map((log) => log.shutdown()))
    expect(process.listenerCount('beforeExit')).toBe(before)
  })

  // Requirements: OTL4
  test('headers from the environment and from options are sent', async () => {
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20env,x-env=1' }
    const { log, logAll } = otlpLogger(options({ headers: { Authorization: 'Bearer code' } }), env)
    logAll(1)
    await log.shutdown()
    expect(collector.received[0]!.headers).toMatchObject({ authorization: 'Bearer code', 'x-env': '1' })
  })

  test.each([
    ['a function', (count: number) => ({ token: `t${count}` })],
    ['an asynchronous function', async (count: number) => ({ token: `t${count}` })],
  ])('headers from %s are requested for each attempt', async (_title, headersOf) => {
    let calls = 0
    const { log, logAll } = otlpLogger(options({ headers: () => headersOf(++calls) }))
    collector.respondNext(status(503))
    logAll(1)
    await log.shutdown()
    expect(collector.received.map(({ headers }) => headers['token'])).toEqual(['t1', 't2'])
  })

  // Fault rows: 36
  test.each<[string, () => any, string]>([
    ['throws', () => thrown(), 'headers() threw or rejected'],
    ['rejects', () => Promise.reject(new Error('hunter2')), 'headers() threw or rejected'],
    ['never resolves', () => new Promise(() => {}), 'headers() timed out'],
    ['returns undefined', () => undefined, 'headers() did not return an object'],
    [
      'returns an invalid header value',
      () => ({ token: 'hunter2\r\nx: y' }),
      'headers() returned "token", which has a value',
    ],
  ])('a headers function that %s is reported, and the batch is retried', async (_title, broken, message) => {
    let calls = 0
    const headers = () => (++calls === 1 ? broken() : { token: 'good' })
    const { log, logAll, problems, deliveryStats } = otlpLogger(options({ headers, timeoutMillis: 50 }))
    logAll(3)
    await log.flush()
    expect(collector.sequence).toEqual([0, 1, 2])
    expect(deliveryStats()).toMatchObject({ written: 3, maybeDuplicated: 0 })
    expect(problems).toEqual([{ code: 'SLUICE_OTLP_UNAVAILABLE', message: expect.stringContaining(message) }])
    expect(JSON.stringify(problems)).not.toContain('hunter2')
    await log.shutdown()
  })
})

// Fault rows: 36
test('the user name and password of the URL are sent as Basic authorization and never reported', async () => {
  collector.respondNext(
    status(400, { 'content-type': 'application/json' }, '{"message":"no hunter2! aHVu ann:hunter2"}'),
  )
  const url = collector.url.replace('127.0.0.1', 'ann:hunter2@127.0.0.1')
  const { log, logAll, problems } = otlpLogger({ url, protocol: 'http/json' })
  logAll(1)
  await log.shutdown()
  expect(collector.received[0]!.headers.authorization).toBe(`Basic ${Buffer.from('ann:hunter2').toString('base64')}`)
  expect(problems[0]!.message).toContain('responded with status 400 (no [REDACTED]!')
  expect(JSON.stringify(problems)).not.toContain('hunter2')
})

// Fault rows: 36
test('a header value that a server repeats is not reported', async () => {
  const message = `token s3cr3t-token of Bearer s3cr3t-token is wrong ${'.'.repeat(5_000)}`
  collector.respondNext(status(401, { 'content-type': 'application/json' }, JSON.stringify({ message })))
  const { log, logAll, problems } = otlpLogger(
    options({ protocol: 'http/json', headers: { authorization: 'Bearer s3cr3t-token' } }),
  )
  logAll(1)
  await log.shutdown()
  expect(problems[0]!.message).toMatch(
    /responded with status 401 \(token \[REDACTED\] of Bearer \[REDACTED\] is wrong \.+…\); 1 record is lost$/,
  )
  expect(problems[0]!.message.length).toBeLessThan(500)
})

// Requirements: OTL6
describe('maxRequestBytes', () => {
  test.each(['http/protobuf', 'http/json'] as const)(
    'a batch of %s over maxRequestBytes is split into requests',
    async (protocol) => {
      const { log, logAll, deliveryStats } = otlpLogger(options({ protocol, maxRequestBytes: 2_000 }))
      logAll(100)
      await log.flush()
      expect(collector.sequence).toEqual(numbers(100))
      expect(collector.received.length).toBeGreaterThanOrEqual(5)
      for (const { body } of collector.received) expect(body.length).toBeLessThanOrEqual(2_000)
      expect(deliveryStats()).toMatchObject({ written: 100 })
      await log.shutdown()
    },
  )

  // Requirements: OTL11
  test('the rejected records of a split batch are limited to those of the rejected request', async () => {
    collector.respondNext(status(413), partialSuccess(500))
    const { log, logAll, deliveryStats } = otlpLogger(options())
    logAll(100)
    await log.flush()
    const [whole, first, ...others] = collector.received.map(({ sequence }) => sequence.length)
    expect(whole).toBe(100)
    expect(first! + others.reduce((sum, count) => sum + count, 0)).toBe(100)
    expect(deliveryStats()).toMatchObject({ written: 100 - first!, dropped: { total: first } })
    await log.shutdown()
  })

  // Requirements: OTL18
  // Fault rows: 28
  test('a single record over maxRequestBytes is dropped, counted and reported', async () => {
    const { log, logAll, deliveryStats, codes } = otlpLogger(options({ maxRequestBytes: 2_000 }))
    logAll(3)
    logAll(1, { pad: 'x'.repeat(3_000) })
    logAll(3)
    await log.flush()
    expect(collector.sequence).toEqual([0, 1, 2, 4, 5, 6])
    expect(deliveryStats()).toMatchObject({ written: 6, dropped: { total: 1, byReason: { too_large: 1 } } })
    expect(codes()).toEqual(['SLUICE_OTLP_REJECTED'])
    await log.shutdown()
  })

  // Requirements: D18
  test('a batch is split in halves after a 413 response', async () => {
    const { log, logAll, deliveryStats, problems } = otlpLogger(options())
    collector.respondAlways((response, request) => {
      const { length } = collector.received.at(-1)!.body
      if (length > 2_000) status(413)(response, request)
      else status(200)(response, request)
    })
    logAll(100)
    await log.flush()
    const kept = collector.received.filter(({ body }) => body.length <= 2_000)
    expect(kept.flatMap(({ sequence }) => sequence)).toEqual(numbers(100))
    expect(deliveryStats()).toMatchObject({ written: 100 })
    expect(problems).toEqual([])
    await log.shutdown()
  })

  // Requirements: D18
  test('only the record that a server rejects with 413 is dropped', async () => {
    const { log, logAll, deliveryStats, codes } = otlpLogger(options())
    collector.respondAlways((response, request) => {
      const isTooLarge = collector.received.at(-1)!.sequence.includes(20)
      status(isTooLarge ? 413 : 200)(response, request)
    })
    logAll(50)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ written: 49, dropped: { total: 1, byReason: { too_large: 1 } } })
    expect(codes()).toEqual(['SLUICE_OTLP_REJECTED'])
    await log.shutdown()
  })
})

test('a custom agent is used and not closed', async () => {
  const agent = new http.Agent({ keepAlive: true })
  const { log, logAll } = otlpLogger(options({ agent }))
  logAll(1)
  await log.shutdown()
  expect(
    Object.values(agent.freeSockets)
      .flat()
      .map((socket) => socket?.destroyed),
  ).toEqual([false])
  agent.destroy()
})

// Requirements: OTL17
test('requests of the exporter are not traced, regardless of the context of the records', async () => {
  const manager = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(manager)
  const suppressed: boolean[] = []
  const headers = () => {
    // Tracing is not suppressed for the user's headers function.
    suppressed.push(isTracingSuppressed(context.active()))
    return {}
  }
  class RecordingAgent extends http.Agent {
    override createConnection(...all: Parameters<http.Agent['createConnection']>) {
      suppressed.push(isTracingSuppressed(context.active()))
      return super.createConnection(...all)
    }
  }
  try {
    const { log, logAll } = otlpLogger(options({ headers, agent: new RecordingAgent() }))
    const bag = propagation.createBaggage({ tenant: { value: 'acme' } })
    context.with(propagation.setBaggage(ROOT_CONTEXT, bag), () => logAll(1))
    await log.shutdown()
    expect(suppressed).toEqual([false, true])
    expect(collector.sequence).toEqual([0])
  } finally {
    context.disable()
  }
})

test('records are sent when the context manager throws', async () => {
  const manager = new AsyncLocalStorageContextManager().enable()
  manager.with = () => thrown()
  context.setGlobalContextManager(manager)
  try {
    const { log, logAll } = otlpLogger(options())
    logAll(1)
    await log.shutdown()
    expect(collector.sequence).toEqual([0])
  } finally {
    context.disable()
  }
})

test('a connection does not retain the async context of the log call that opened it', async () => {
  const storage = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  class RecordingAgent extends http.Agent {
    override createConnection(...all: Parameters<http.Agent['createConnection']>) {
      seen.push(storage.getStore())
      return super.createConnection(...all)
    }
  }
  const { log, logAll } = otlpLogger(options({ agent: new RecordingAgent() }))
  storage.run('request 1', () => logAll(1))
  await collector.waitFor(1)
  await log.shutdown()
  expect(seen).toEqual([undefined])
})

// Requirements: OTL14
// Fault rows: 46
test.each<[string, Responder]>([
  ['rejects each batch temporarily', status(503)],
  ['never responds', neverRespond],
  ['resets each connection', resetAfterBody],
])('a first destination that %s does not delay another destination', async (_title, answer) => {
  const failing = await fakeCollector()
  failing.respondAlways(answer)
  const waits: number[] = []
  const timing = {
    delay: (millis: number, callback: () => void) => {
      waits.push(millis)
      return delay(millis, callback)
    },
    random: () => 1,
  }
  const log = createLogger({
    exporter: [
      otlpExporterIn({}, { url: failing.url, scheduledDelayMillis: 5, retry: { initialDelayMillis: 60_000 } }),
      otlpExporterIn({}, { url: collector.url, scheduledDelayMillis: 5 }, timing),
    ],
    handleExit: false,
    onDiagnostic: () => {},
  })
  const stats = () => log.stats().exporters
  log.info('record', { seq: 0 })
  await failing.waitFor(1)
  for (let seq = 1; seq < 2_000; seq++) log.info('record', { seq })
  await waitUntil(() => stats()[1]!.written === 2_000)
  expect(collector.sequence).toEqual(numbers(2_000))
  // The first destination still has all records queued after one attempt; the other one had no retry delays.
  expect(stats()).toMatchObject([
    { written: 0, queued: 2_000 },
    { written: 2_000, queued: 0, dropped: { total: 0 } },
  ])
  expect([failing.received.length, waits]).toEqual([1, []])
  await log.shutdown({ timeoutMillis: 50 })
  const [first, second] = stats()
  expect(first!.unknown + first!.dropped.total).toBe(2_000)
  expect(second).toMatchObject({ written: 2_000, dropped: { total: 0 } })
  await failing.close()
})

// Requirements: OTL11
test('the warning of a successful response is reported, and the records count as written', async () => {
  collector.respondNext(partialSuccess(0, 'use a newer version'))
  const { log, logAll, deliveryStats, problems } = otlpLogger(options())
  logAll(4)
  await log.shutdown()
  expect(deliveryStats()).toMatchObject({ written: 4, dropped: { total: 0 } })
  expect(problems).toEqual([
    { code: 'SLUICE_OTLP_RESPONSE', message: expect.stringMatching(/ returned a warning \(use a newer version\)$/) },
  ])
})

test('https and zlib are loaded only when an otlpExporter is created', async () => {
  const loaded = 'process.moduleLoadList.some((name) => /^NativeModule (https?|zlib)$/.test(name))'
  const make = `${importOf('{ otlpExporter }', 'src/entries/exporters.ts')} console.log(${loaded}); otlpExporter(); console.log(${loaded})`
  expect((await runModule(make)).stdout).toBe('false\ntrue\n')
})

function thrown(): never {
  throw new Error('hunter2')
}
