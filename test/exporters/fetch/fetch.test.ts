import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-core-logger.ts'
import { fetchExporter } from '../../../src/exporters/fetch/fetch-exporter.ts'
import type { FetchExporterOptions } from '../../../src/exporters/fetch/options.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { DeliveryStats } from '../../../src/pipeline/counters.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import {
  dripBody,
  fakeCollector,
  hangUpInBody,
  partialSuccess,
  resetAfterBody,
  neverRespond,
  stallInBody,
  status,
  stopListening,
  accept,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'

let collector: FakeCollector
const open = new Set<RootLogger>()

beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(async () => {
  await Promise.all([...open].map((log) => log.shutdown({ timeoutMillis: 0 })))
  open.clear()
  await collector.close()
})

function fetchLogger(options: Partial<FetchExporterOptions> = {}) {
  const retry = { initialDelayMillis: 5, maxDelayMillis: 20, ...options.retry }
  const problems: Diagnostic[] = []
  const log = createLogger({
    exporter: fetchExporter({ url: collector.url, scheduledDelayMillis: 5, ...options, retry }),
    onDiagnostic: (problem) => problems.push(problem),
  })
  open.add(log)
  let next = 0
  return {
    log,
    problems,
    codes: () => problems.map(({ code }) => code),
    logAll(count: number, attributes: object = {}): void {
      for (let index = 0; index < count; index++) log.info('record', { seq: next++, ...attributes })
    },
    deliveryStats: () => log.stats().exporters[0]!,
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** A `fetch` that fails. */
const failing = (error: unknown): Partial<FetchExporterOptions> => ({
  fetch: async () => {
    throw error
  },
})
/** Headers that cannot be read. */
function throwingHeaders(): object {
  return {
    get() {
      throw new Error('no headers')
    },
  }
}

const withCause = (cause: object): Error => new TypeError('fetch failed', { cause })

/** The sum of the parts of delivery statistics. */
function sumOf({ written, queued, unknown, dropped }: DeliveryStats): number {
  return written + queued + unknown + dropped.total
}

describe.each(['http/json', 'http/protobuf'] as const)('export by %s', (protocol) => {
  test('records are delivered once and in order, and counted as written when the collector confirms them', async () => {
    const { log, logAll, deliveryStats } = fetchLogger({ protocol })
    logAll(1_500)
    expect(deliveryStats().written).toBe(0)
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(collector.sequence).toEqual(numbers(1_500))
    expect(deliveryStats()).toMatchObject({ accepted: 1_500, written: 1_500, queued: 0 })
    expect(collector.received.length).toBeLessThan(10)
  })

  test('records that a collector rejects in a partial success are counted as rejected', async () => {
    collector.respondNext(partialSuccess(3, 'no'))
    const { log, logAll, deliveryStats, problems } = fetchLogger({ protocol })
    logAll(10)
    expect(await log.flush()).toMatchObject({ ok: false, dropped: 3 })
    expect(deliveryStats().dropped.byReason.rejected).toBe(3)
    expect(problems[0]).toMatchObject({ code: 'SLUICE_OTLP_REJECTED' })
  })
})

test('records are exported after the delay or when a batch is full', async () => {
  const { logAll } = fetchLogger({ maxExportBatchSize: 4, scheduledDelayMillis: 5 })
  logAll(10)
  await waitUntil(() => collector.sequence.length === 10)
  expect(collector.received.map(({ sequence }) => sequence.length)).toEqual([4, 4, 2])
})

test('fatal starts to send the queued records', async () => {
  const { log, logAll } = fetchLogger({ scheduledDelayMillis: 60_000 })
  logAll(3)
  log.fatal('the end', { seq: 3 })
  await waitUntil(() => collector.sequence.length > 0)
  expect(collector.sequence).toEqual(numbers(4))
})

describe('requests that are retried', () => {
  test.each([429, 502, 503, 504])('a request is retried after the status code %s', async (code) => {
    collector.respondNext(status(code), status(code))
    const { log, logAll, deliveryStats } = fetchLogger()
    logAll(5)
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(collector.received).toHaveLength(3)
    expect(deliveryStats()).toMatchObject({ written: 5, maybeDuplicated: 0 })
  })

  test('a request is not retried before the time in the Retry-After header', async () => {
    collector.respondNext(status(503, { 'retry-after': '1' }))
    const { log, logAll } = fetchLogger()
    logAll(1)
    await log.flush()
    const [first, second] = collector.received
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(950)
  })

  test('a request without a response is retried, and its records count as maybeDuplicated', async () => {
    collector.respondNext(resetAfterBody)
    const { log, logAll, deliveryStats } = fetchLogger()
    logAll(5)
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(deliveryStats()).toMatchObject({ written: 5, maybeDuplicated: 5 })
  })

  test('a request without a response is retried after timeoutMillis', async () => {
    collector.respondNext(neverRespond)
    const { log, logAll, deliveryStats, problems } = fetchLogger({ timeoutMillis: 50 })
    logAll(5)
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(deliveryStats()).toMatchObject({ written: 5, maybeDuplicated: 5 })
    expect(problems[0]!.message).toContain('timed out')
  })

  test.each<[string, Partial<FetchExporterOptions>, string]>([
    ['a port without a listener', { url: 'http://127.0.0.1:{gone}/v1/logs' }, 'ECONNREFUSED'],
    ['a host name and a port without a listener', { url: 'http://localhost:{gone}/v1/logs' }, 'ECONNREFUSED'],
    ['a port that fetch blocks', { url: 'http://127.0.0.1:9/v1/logs' }, 'BAD_PORT'],
    ['an unknown host', { url: 'http://sluice.invalid/v1/logs' }, 'ENOTFOUND'],
    ['a network that cannot be reached', failing(withCause({ code: 'ENETUNREACH' })), 'ENETUNREACH'],
    ['a host that cannot be reached', failing(withCause({ code: 'EHOSTUNREACH' })), 'EHOSTUNREACH'],
    [
      'a refused connection of Bun',
      failing(Object.assign(new Error('x'), { code: 'ConnectionRefused' })),
      'ConnectionRefused',
    ],
  ])('records for %s count as dropped, because nothing was sent', async (_, options, code) => {
    const gone = await fakeCollector()
    await gone.close()
    const url = (options.url ?? gone.url).replace('{gone}', String(gone.port))
    const { log, logAll, deliveryStats, problems } = fetchLogger({ ...options, url, retry: { maxElapsedMillis: 50 } })
    logAll(5)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ unknown: 0, dropped: { byReason: { retry_exhausted: 5 } } })
    expect(problems.map((problem) => problem.code)).toEqual(['SLUICE_OTLP_UNAVAILABLE', 'SLUICE_RETRY_EXHAUSTED'])
    expect(problems[0]!.message).toContain(`did not respond (${code})`)
  })

  const unreadable = new Proxy(
    {},
    {
      get() {
        throw new Error('no')
      },
    },
  )
  test.each<[string, unknown]>([
    ['without a code', new TypeError('Failed to fetch')],
    ['with an invalid code', withCause({ code: 'a\nb' })],
    ['that cannot be read', unreadable],
    ['whose cause cannot be read', withCause(unreadable)],
    ['that is undefined', undefined],
  ])('records count as unknown after an error of fetch %s', async (_, error) => {
    const { log, logAll, deliveryStats } = fetchLogger({ ...failing(error), retry: { maxElapsedMillis: 50 } })
    logAll(5)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ unknown: 5, queued: 0, dropped: { total: 0 } })
  })

  test('records count as unknown when their retries are exhausted and they may have arrived', async () => {
    collector.respondAlways(resetAfterBody)
    const { log, logAll, deliveryStats } = fetchLogger({ retry: { maxElapsedMillis: 50 } })
    logAll(5)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ written: 0, unknown: 5, queued: 0 })
  })
})

describe('requests that are not retried', () => {
  test.each([
    ['the status code 400', status(400)],
    ['the status code 404', status(404)],
    ['a redirect, which is not followed', status(307, { location: '/elsewhere' })],
  ])('a request is not retried after %s', async (_name, answer) => {
    collector.respondAlways(answer)
    const { log, logAll, deliveryStats } = fetchLogger()
    logAll(5)
    await log.flush()
    expect(collector.received).toHaveLength(1)
    expect(deliveryStats().dropped.byReason.rejected).toBe(5)
  })

  test.each([
    ['ends early', hangUpInBody],
    ['stalls', stallInBody],
    ['arrives too slowly', dripBody(5)],
  ])('records count as written when the body of a successful response %s', async (_name, answer) => {
    collector.respondNext(answer)
    const { log, logAll, deliveryStats, codes } = fetchLogger({ timeoutMillis: 100 })
    logAll(5)
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(deliveryStats()).toMatchObject({ written: 5, maybeDuplicated: 0 })
    expect(codes()).toEqual(['SLUICE_OTLP_RESPONSE'])
  })

  test('records count as rejected when the response body exceeds the size limit', async () => {
    collector.respondNext(status(200, { 'content-type': 'application/json' }, ' '.repeat(5 * 1024 * 1024)))
    const { log, logAll, deliveryStats } = fetchLogger()
    logAll(5)
    await log.flush()
    expect(deliveryStats().dropped.byReason.rejected).toBe(5)
  })
})

test('a batch over maxRequestBytes is split into several requests, and a record over it is counted as too_large', async () => {
  const { log, logAll, deliveryStats } = fetchLogger({ maxRequestBytes: 4_096, scheduledDelayMillis: 1_000 })
  logAll(20, { text: 'x'.repeat(500) })
  log.info('long', { text: 'y'.repeat(10_000) })
  await log.flush()
  expect(collector.sequence).toEqual(numbers(20))
  expect(Math.max(...collector.received.map(({ body }) => body.length))).toBeLessThanOrEqual(4_096)
  expect(deliveryStats().dropped.byReason.too_large).toBe(1)
})

test('every request with keepalive is within the limit of browsers for the body size', async () => {
  const inits: RequestInit[] = []
  const spying: typeof fetch = (url, init) => (inits.push(init!), fetch(url, init))
  const { log, logAll } = fetchLogger({ keepalive: true, fetch: spying, scheduledDelayMillis: 1_000 })
  logAll(300, { text: 'ü'.repeat(500) })
  await log.flush()
  expect(collector.sequence).toEqual(numbers(300))
  expect(inits.length).toBeGreaterThan(3)
  expect(inits.map(({ keepalive }) => keepalive)).toEqual(inits.map(() => true))
  expect(Math.max(...inits.map(({ body }) => (body as Uint8Array).length))).toBeLessThanOrEqual(60 * 1024)
})

test('the queue is limited by maxQueueSize, and the other records are counted as dropped', async () => {
  collector.respondAlways(neverRespond)
  const { log, logAll, deliveryStats } = fetchLogger({ maxQueueSize: 100, onFull: 'dropNewest' })
  logAll(1_000)
  expect(deliveryStats()).toMatchObject({ queued: 100, dropped: { byReason: { queue_full: 900 } } })
  await log.shutdown({ timeoutMillis: 50 })
  expect(sumOf(deliveryStats())).toBe(deliveryStats().accepted)
  expect(deliveryStats().queued).toBe(0)
})

test('at shutdown a batch that waits for its headers counts as dropped, and a batch that was sent as unknown', async () => {
  collector.respondAlways(neverRespond)
  const waiting = fetchLogger({ headers: () => new Promise<never>(() => {}) })
  const sent = fetchLogger()
  for (const { logAll } of [waiting, sent]) logAll(5)
  await collector.waitFor(1)
  for (const { log } of [waiting, sent]) await log.shutdown({ timeoutMillis: 20 })
  expect(waiting.deliveryStats()).toMatchObject({ unknown: 0, queued: 0, dropped: { total: 5 } })
  expect(sent.deliveryStats()).toMatchObject({ unknown: 5, queued: 0, dropped: { total: 0 } })
})

test('records of confirmed requests count as written when shutdown interrupts a batch of several requests', async () => {
  const { log, logAll, deliveryStats } = fetchLogger({ maxRequestBytes: 4_096, scheduledDelayMillis: 50 })
  collector.respondAlways((response, request) =>
    (collector.requestCount === 1 ? accept : neverRespond)(response, request),
  )
  logAll(20, { text: 'x'.repeat(500) })
  await collector.waitFor(2)
  const first = collector.received[0]!.sequence.length
  await log.shutdown({ timeoutMillis: 20 })
  const { written, unknown, dropped, queued } = deliveryStats()
  expect({ written, queued, lost: unknown + dropped.total }).toEqual({ written: first, queued: 0, lost: 20 - first })
  expect(unknown).toBeLessThan(20 - first)
})

test('shutdown aborts a request in flight', async () => {
  collector.respondAlways(neverRespond)
  const { log, logAll, deliveryStats } = fetchLogger()
  logAll(5)
  await collector.waitFor(1)
  await log.shutdown({ timeoutMillis: 20 })
  await waitUntil(() => collector.connections.size === 0)
  expect(deliveryStats()).toMatchObject({ queued: 0, written: 0 })
  expect(sumOf(deliveryStats())).toBe(5)
})

describe('request headers', () => {
  test('headers are sent, including the user name and password of the URL', async () => {
    const url = collector.url.replace('://', '://user:p%40ss@')
    const { log, logAll } = fetchLogger({ url, headers: { 'X-Tenant': 'acme' } })
    logAll(1)
    await log.flush()
    expect(collector.received[0]!.headers).toMatchObject({
      'x-tenant': 'acme',
      authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
      'content-type': 'application/json',
    })
  })

  test('a headers function is called for each attempt', async () => {
    collector.respondNext(status(503))
    let calls = 0
    const { log, logAll } = fetchLogger({ headers: async () => ({ authorization: `Bearer token-${++calls}` }) })
    logAll(1)
    await log.flush()
    expect(collector.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  test('a headers function that throws is reported and called again', async () => {
    let calls = 0
    const headers = (): Record<string, string> => {
      if (calls++ === 0) throw new Error('canary')
      return {}
    }
    const { log, logAll, problems, deliveryStats } = fetchLogger({ headers })
    logAll(1)
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(deliveryStats().maybeDuplicated).toBe(0)
    expect(JSON.stringify(problems)).toContain('headers() threw or rejected')
    expect(JSON.stringify(problems)).not.toContain('canary')
  })

  test('headers and URL secrets are not in diagnostics, regardless of the response', async () => {
    const secrets = ['canary-key', 'canary-pass', 'canary-path']
    const message = `no ${secrets.slice(0, 2).join(' ')} Basic ${Buffer.from('user:canary-pass').toString('base64')}`
    collector.respondAlways(status(401, { 'content-type': 'application/json' }, JSON.stringify({ message })))
    const url = `${collector.url.replace('://', '://user:canary-pass@')}/canary-path`
    const { log, logAll, problems } = fetchLogger({ url, headers: { 'x-api-key': 'canary-key' } })
    logAll(1)
    await log.flush()
    expect(problems[0]!.message).toContain('responded with status 401')
    const output = JSON.stringify([problems, log.stats()])
    for (const secret of [...secrets, Buffer.from('user:canary-pass').toString('base64')]) {
      expect(output).not.toContain(secret)
    }
  })
})

test('a custom fetch without Node extensions is used', async () => {
  const urls: string[] = []
  const own: typeof fetch = async (url) => {
    urls.push(url as string)
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  }
  const { log, logAll, deliveryStats } = fetchLogger({ fetch: own })
  logAll(2)
  await log.flush()
  expect(urls).toEqual([collector.url])
  expect(deliveryStats().written).toBe(2)
})

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a string', 'ok'],
  ['an empty object', {}],
  ['an object with a status only', { status: 200 }],
  ['an object whose headers are not Headers', { status: 200, headers: {} }],
  ['an object whose headers throw', { status: 200, headers: throwingHeaders() }],
])('records count as unknown when fetch returns %s instead of a Response', async (_, answer) => {
  const { log, logAll, deliveryStats, codes } = fetchLogger({
    fetch: async () => answer as Response,
    retry: { maxElapsedMillis: 30 },
  })
  logAll(2)
  await log.flush({ timeoutMillis: 5_000 })
  expect(deliveryStats()).toMatchObject({ unknown: 2, written: 0, queued: 0 })
  expect(codes()).toContain('SLUICE_OTLP_UNAVAILABLE')
})

test('records count as written when the body of a successful response is not a stream', async () => {
  const answer = { status: 200, headers: new Headers(), body: 'ok' } as unknown as Response
  const { log, logAll, deliveryStats } = fetchLogger({ fetch: async () => answer })
  logAll(2)
  await log.flush()
  expect(deliveryStats()).toMatchObject({ written: 2, unknown: 0 })
})

test('all records are counted when the collector stops listening', async () => {
  collector.respondNext(stopListening)
  const { log, logAll, deliveryStats } = fetchLogger({ retry: { maxElapsedMillis: 100 }, timeoutMillis: 50 })
  logAll(5)
  await log.flush()
  expect(sumOf(deliveryStats())).toBe(5)
})

describe('validation of options', () => {
  test.each([
    [{}, 'SLUICE_OPTION_TYPE', 'fetchExporter.url'],
    [{ url: '/v1/logs' }, 'SLUICE_OPTION_RANGE', 'fetchExporter.url'],
    [{ url: 'http://a', protocol: 'grpc' }, 'SLUICE_OPTION_RANGE', 'fetchExporter.protocol'],
    [{ url: 'http://a', fetch: 'node-fetch' }, 'SLUICE_OPTION_TYPE', 'fetchExporter.fetch'],
    [{ url: 'http://a', compression: 'gzip' }, 'SLUICE_OPTION_UNKNOWN', 'fetchExporter.compression'],
    [{ url: 'http://a', headers: { 'content-type': 'x' } }, 'SLUICE_OPTION_RANGE', 'fetchExporter.headers'],
    [{ url: 'http://a', retry: { maxElapsed: 1 } }, 'SLUICE_OPTION_UNKNOWN', 'fetchExporter.retry.maxElapsed'],
  ])('the invalid options %j are rejected', (options, code, path) => {
    expect(() => fetchExporter(options as never)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code, path })] }),
    )
  })

  test('onFull: block is rejected, because a log call cannot wait for a server', () => {
    const exporter = fetchExporter({ url: 'http://127.0.0.1:1', onFull: 'block' })
    expect(() => createLogger({ exporter })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path: 'exporter.onFull' })] }),
    )
  })
})
