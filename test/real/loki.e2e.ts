import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { createLogger } from '../../src/create/create-logger.ts'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import type { LoggerOptions, RootLogger } from '../../src/logger/types.ts'
import type { Limits } from '../../src/values/limits.ts'
import { sectionOf, textOf } from '../docs/ingest-texts.ts'
import { hasCollector, startCollector } from '../support/otlp/collector.ts'
import { createTestLogger } from '../support/files/test-logger.ts'
import { type Loki, hasLoki, startLoki } from '../support/otlp/loki.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { span } from '../support/values/records.ts'

const testLoki = needs('Loki (`npm run real-parts`)', hasLoki)
const testBoth = needs('Loki or the Collector (`npm run real-parts`)', hasLoki && hasCollector)
const directory = temporaryDirectory()
const guide = textOf('Loki', 'ts')
const context = trace.setSpanContext(ROOT_CONTEXT, span)
let loki: Loki

beforeAll(async () => {
  if (hasLoki) loki = await startLoki(directory.path('loki'))
}, 90_000)
afterAll(async () => {
  await loki?.stop()
  directory.remove()
}, 30_000)

/** Creates a logger with the exporter of the guide. */
function logger(service: string, options: LoggerOptions = {}): RootLogger {
  const [, path] = /url: 'http:\/\/loki:3100(.*)'/.exec(guide)!
  const exporter = otlpExporter({ url: loki.url + path! })
  const resource = { 'service.name': service }
  return createLogger({ resource, exporter, handleExit: false, onDiagnostic: () => {}, ...options })
}

/** Returns the limits of the guide. */
function guideLimits(): Limits {
  const [, recordBytes, attributes] = /limits: \{ recordBytes: ([\d_]+), attributes: (\d+) \}/.exec(guide)!
  return { recordBytes: Number(recordBytes!.replace('_', '')), attributes: Number(attributes) }
}

/** Sends lines of files, as Alloy does. */
function push(service: string, level: string, ...values: readonly (readonly unknown[])[]): Promise<Response> {
  const body = JSON.stringify({ streams: [{ stream: { service_name: service, level }, values }] })
  const headers = { 'content-type': 'application/json' }
  return fetch(`${loki.url}/loki/api/v1/push`, { method: 'POST', headers, body })
}

const nanos = (): string => `${Date.now()}000000`

testLoki('Loki stores each acknowledged record once', async () => {
  const count = 2_000
  const log = logger('counted')
  for (let id = 0; id < count; id++) log.info('order {id} placed', { id })
  await log.shutdown()
  expect(log.stats()).toMatchObject({ written: count, dropped: { total: 0 } })
  const found = await loki.query('{service_name="counted"}')
  expect(found.map(({ structuredMetadata }) => Number(structuredMetadata['id'])).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: count }, (_, id) => id),
  )
})

testLoki('Loki finds a record by the query of the guide, and its trace by the derived field', async () => {
  const log = logger('shop', { limits: guideLimits() })
  const order = log.child({ region: 'eu' }, { context })
  const orderAttributes = { orderId: 43, 'http.route': '/orders', card: { type: 'visa', digits: [4, 2] } }
  order.error('order {orderId} failed', orderAttributes, new Error('no route'))
  order.info('order {orderId} placed', orderAttributes)
  await log.shutdown()
  const [found, ...others] = await loki.query(textOf('Loki', 'logql').trim())
  expect(others).toEqual([])
  expect(found).toMatchObject({ line: 'order 43 failed', labels: { service_name: 'shop' } })
  expect(Object.keys(found!.labels)).toEqual(['service_name'])
  expect(found!.structuredMetadata).toMatchObject({
    severity_text: 'error',
    severity_number: '17',
    trace_id: span.traceId,
    span_id: span.spanId,
    orderId: '43',
    http_route: '/orders',
    card_type: 'visa',
    card_digits: '[4,2]',
    exception_message: 'no route',
  })
  const [, name] = /matcherType: label\n\s+matcherRegex: (\w+)/.exec(textOf('Loki', 'yaml'))!
  expect(found!.structuredMetadata[name!]).toBe(span.traceId)
})

testBoth('Loki receives records that a Collector forwards to the endpoint of the guide', async () => {
  const [, path] = /endpoint `http:\/\/loki:3100(\S+)`/.exec(sectionOf('Loki'))!
  const collector = await startCollector(directory.path('collector'), {
    config: {
      exporters: { 'otlp_http/loki': { endpoint: loki.url + path! } },
      service: { pipelines: { logs: { exporters: ['otlp_http/loki'] } } },
    },
  })
  const exporter = otlpExporter({ url: `${collector.httpUrl}/v1/logs` })
  const log = createLogger({ resource: { 'service.name': 'relayed' }, exporter, handleExit: false })
  log.child({}, { context }).warn('order {orderId} is late', { orderId: 42 })
  await log.shutdown()
  await collector.stop() // forwards its records before it ends
  const [found] = await loki.query('{service_name="relayed"} | orderId="42"')
  expect(found).toMatchObject({ line: 'order 42 is late', structuredMetadata: { trace_id: span.traceId } })
})

testLoki('Loki uses service.instance.id as a label', async () => {
  const log = logger('', { resource: { 'service.name': 'labels', 'service.instance.id': 'one' } })
  log.info('started')
  await log.shutdown()
  const [found] = await loki.query('{service_name="labels"}')
  expect(found!.labels).toEqual({ service_name: 'labels', service_instance_id: 'one' })
})

describe.each([
  ['more than 64 KB of attributes', { body: 'x'.repeat(70_000) }],
  [
    'more than 128 attributes including those that Loki adds',
    Object.fromEntries(Array.from({ length: 128 }, (_, at) => [`key${at}`, at])),
  ],
])('the limits of Loki: a record with %s', (title, attributes) => {
  testLoki(
    'Loki rejects a record over its limits, stores the others of the request, and reports that all were rejected',
    async () => {
      const service = `refused ${title}`
      const log = logger(service)
      log.info('large', attributes)
      log.info('small')
      await log.shutdown()
      expect(log.stats().exporters[0]!.dropped).toMatchObject({ total: 2, byReason: { rejected: 2 } })
      const found = await loki.query(`{service_name="${service}"}`)
      expect(found.map(({ line }) => line)).toContain('small')
      expect(found.map(({ line }) => line)).not.toContain('large')
    },
  )

  testLoki('Loki accepts a record over its limits when it is logged with the limits of the guide', async () => {
    const service = `taken ${title}`
    const log = logger(service, { limits: guideLimits() })
    log.info('large', attributes)
    await log.shutdown()
    expect(log.stats()).toMatchObject({ written: 1, dropped: { total: 0 } })
    expect((await loki.query(`{service_name="${service}"}`)).length).toBe(1)
  })
})

testLoki(
  'Loki stores a line of a file unchanged, with level and trace in the places of the Alloy configuration',
  async () => {
    const { log, exporter } = createTestLogger()
    log.child({}, { context }).warn('order {orderId} is late', { orderId: 42, text: 'a"b\n😀' })
    const [line] = exporter.lines()
    expect(
      (await push('files', 'warn', [nanos(), line, { trace_id: span.traceId, span_id: span.spanId }])).status,
    ).toBe(204)
    const [found] = await loki.query(`{service_name="files", level="warn"} | trace_id="${span.traceId}"`)
    expect(found!.line).toBe(line)
    const pattern = new RegExp(/matcherRegex: '(.*)'/.exec(textOf('Loki', 'yaml'))![1]!)
    expect(pattern.exec(found!.line)?.[1]).toBe(span.traceId)
    const [read] = await loki.query('{service_name="files"} | json | attributes_orderId=42')
    expect(read!.line).toBe(line)
  },
)

testLoki('Loki rejects a line over max_line_size and accepts the longest line of a logger', async () => {
  const { log, exporter } = createTestLogger()
  log.info('long', { body: 'é'.repeat(300_000) })
  const [line] = exporter.lines()
  expect(Buffer.byteLength(line!)).toBeGreaterThan(262_000)
  expect((await push('long', 'info', [nanos(), line])).status).toBe(204)
  const refused = await push('long', 'info', [nanos(), 'x'.repeat(262_145)])
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('max entry size')])
  expect((await loki.query('{service_name="long"}')).map((entry) => entry.line)).toEqual([line])
})
