import { describe, expect, test } from '@jest/globals'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { ConsoleLogRecordExporter, InMemoryLogRecordExporter } from '@opentelemetry/sdk-logs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { ExportResult } from '../../../src/entries/exporters.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import type { OtelLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter-options.ts'
import type { ReadableLogRecord } from '../../../src/otel/api/types.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { exporterHttp as oldHttp } from '../../legacy-otel/index.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { StallingOtelExporter } from '../processor/lines.ts'
import { otlpBatch } from './otlp-batch.ts'

describe('behind a logger', () => {
  test('records have the scope and the resource of the logger, the same objects for all', async () => {
    const official = new InMemoryLogRecordExporter()
    const log = createLogger({
      name: 'checkout',
      version: '1.2.0',
      resource: { 'service.name': 'shop' },
      exporter: fromLogRecordExporter(official as OtelLogRecordExporter),
    })
    log.info('order {orderId} placed', { orderId: 42, bytes: new Uint8Array([1]) })
    await log.flush()
    log.child({ requestId: 'r-17' }).warn('slow')
    await log.flush()
    const records = official.getFinishedLogRecords() as unknown as ReadableLogRecord[]
    expect(records).toMatchObject([
      {
        body: 'order 42 placed',
        severityNumber: 9,
        severityText: 'info',
        attributes: { orderId: 42, bytes: new Uint8Array([1]) },
      },
      { body: 'slow', severityNumber: 13, attributes: { requestId: 'r-17' } },
    ])
    const [first, second] = records
    expect(first!.instrumentationScope).toEqual({ name: 'checkout', version: '1.2.0' })
    expect(first!.resource.attributes).toMatchObject({ 'service.name': 'shop', 'telemetry.sdk.name': 'sluice' })
    expect(first!.resource).toMatchObject({ asyncAttributesPending: false })
    await expect(first!.resource.waitForAsyncAttributes!()).resolves.toBeUndefined()
    expect(second!.resource).toBe(first!.resource)
    expect(second!.instrumentationScope).toBe(first!.instrumentationScope)
    expect(log.stats().exporters[0]).toMatchObject({ name: 'InMemoryLogRecordExporter', written: 2 })
    await log.shutdown()
  })

  test('a logger without a name has a scope without one', async () => {
    const official = new StallingOtelExporter(true)
    const log = createLogger({ exporter: fromLogRecordExporter(official) })
    log.info('x')
    await log.shutdown()
    expect(official.batches[0]![0]!.instrumentationScope).toEqual({ name: '' })
    expect(official.calls.at(-1)).toBe('shutdown')
  })

  test('BLR1 512 records are a batch, however long they are', async () => {
    const official = new StallingOtelExporter(true)
    const log = createLogger({ exporter: fromLogRecordExporter(official) })
    for (let index = 0; index < 1_100; index++) log.info('x'.repeat(1_000))
    await log.shutdown()
    expect(official.sizes).toEqual([512, 512, 76])
  })

  test('BLR1 the defaults are 2,048 records, batches of 512, 1,000 ms for a batch to fill and 30 s for an export', async () => {
    const { delivery, schedule } = fromLogRecordExporter(new StallingOtelExporter())
    expect(delivery).toMatchObject({ maxQueueSize: 2_048, maxExportBatchSize: 512 })
    expect(schedule).toEqual({ delayMillis: 1_000 })
    const program =
      importOf('{ timeOf }', 'test/support/pipeline/virtual-time.ts') +
      importOf('{ createLogger }', 'src/create/create-logger.ts') +
      importOf('{ fromLogRecordExporter }', 'src/otel/sdk/foreign-exporter.ts') +
      `const called = Promise.withResolvers()
       const reported = Promise.withResolvers()
       const silent = { export: () => called.resolve(), shutdown: async () => {} }
       const onDiagnostic = ({ code }) => reported.resolve(code)
       createLogger({ exporter: fromLogRecordExporter(silent), onDiagnostic, handleExit: false }).info('m')
       const exportedAt = await timeOf(called.promise)
       const givenUpAt = await timeOf(reported.promise)
       console.log(JSON.stringify([exportedAt, givenUpAt - exportedAt, await reported.promise]))
       process.exit()`
    const { stdout, stderr } = await runModule(program)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([1_000, 30_000, 'SLUICE_EXPORT_TIMEOUT'])
  })
})

const again = { status: 'retryable', accepted: 0 }
const unknown = { status: 'unknown', accepted: 0 }
const failed = (reason: string) => ({ status: 'rejected', accepted: 0, reason })
const errorWith = (members: object) => Object.assign(new Error('secret'), members)

describe('what an export comes to', () => {
  test.each<[string, unknown, object]>([
    ['code 0', { code: 0 }, { status: 'accepted' }],
    ['code 1 without an error', { code: 1 }, failed('io_error')],
    ['code 1 with an error', { code: 1, error: new Error('secret') }, failed('io_error')],
    ['no result', undefined, failed('io_error')],
    ['a status of HTTP', { code: 1, error: errorWith({ name: 'OTLPExporterError', code: 400 }) }, failed('rejected')],
    ['a connection that was lost', { code: 1, error: errorWith({ code: 'ECONNRESET' }) }, unknown],
    ['a server that was waited for in vain', { code: 1, error: new Error('Request timed out') }, unknown],
    ['an error of the network', { code: 1, error: errorWith({ code: 'ECONNREFUSED' }) }, again],
    ['an error of the system', { code: 1, error: errorWith({ code: 'ENOSPC' }) }, failed('io_error')],
    ['a number that is no status of gRPC', { code: 1, error: errorWith({ code: 14 }) }, failed('rejected')],
    ['an error that throws when it is read', { code: 1, error: new Proxy({}, { get: thrower }) }, failed('io_error')],
  ])('%s', async (_, answer, expected) => {
    const { result, told } = await exported({
      export: (__, resultCallback) => resultCallback(answer as { code: number }),
      shutdown: async () => {},
    })
    expect(result).toEqual(expected)
    expect(told).toHaveLength(answer !== undefined && (answer as { code: number }).code === 0 ? 0 : 1)
    expect(told.join()).not.toContain('secret')
  })

  test('D12 ERR1 one that throws', async () => {
    const { result } = await exported({ export: thrower, shutdown: async () => {} })
    expect(result).toEqual(failed('io_error'))
  })

  test.each([
    [400, failed('rejected'), 'OTLPExporterError 400'],
    [503, again, 'OTLPExporterError'],
  ])('OTL8 a %i of a server, through the HTTP exporters of both lines', async (status, expected, cause) => {
    // The wait that it asks for is longer than the exporter's own time, so that it gives up at once.
    const server = createServer((_, response) => response.writeHead(status, { 'retry-after': '60' }).end('secret'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      for (const Exporter of [OTLPLogExporter, oldHttp.OTLPLogExporter]) {
        const { result, told } = await exported(new Exporter({ url, timeoutMillis: 2_000 }))
        expect(result).toEqual(expected)
        expect(told).toEqual([`SLUICE_EXPORT_FAILED: OTLPLogExporter did not deliver a batch (${cause})`])
      }
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})

describe('exportTimeoutMillis', () => {
  test('D19 (row 40) ends a wait for a server that never ends its answer, which the exporter itself would not', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 2)
      response.once('close', () => clearInterval(drip))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      const official = new OTLPLogExporter({ url, timeoutMillis: 150 }) as OtelLogRecordExporter
      const { result, told } = await exported(official, { exportTimeoutMillis: 500 })
      expect(result).toEqual({ status: 'unknown', accepted: 0 })
      expect(told).toEqual(['SLUICE_EXPORT_TIMEOUT: OTLPLogExporter gave no answer in time'])
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test('PRO6 until the call has called back no other is made, and what was not given may be given again', async () => {
    const official = new StallingOtelExporter()
    const exporter = fromLogRecordExporter(official, { exportTimeoutMillis: 5, retry: false })
    expect(await exporter.export(otlpBatch(['a']), undefined)).toEqual({ status: 'unknown', accepted: 0 })
    expect(await exporter.export(otlpBatch(['b']), undefined)).toEqual({ status: 'retryable', accepted: 0 })
    const third = exporter.export(otlpBatch(['c']), undefined)
    official.answer()
    await official.called(2)
    official.answer()
    expect(await third).toEqual({ status: 'accepted' })
    expect(official.bodies).toEqual(['a', 'c'])
    expect(official.mostOpen).toBe(1)
  })

  test('a batch that is tried again while its call is open waits for that one', async () => {
    const official = new StallingOtelExporter()
    const exporter = fromLogRecordExporter(official, { exportTimeoutMillis: 5, retry: { initialDelayMillis: 1 } })
    exporter.start!(recordingHost())
    const result = exporter.export(otlpBatch(['a']), undefined)
    await new Promise((resolve) => setTimeout(resolve, 30))
    official.answer()
    // Nobody can tell that it was not sent again.
    expect(await result).toEqual({ status: 'accepted', maybeDuplicated: 1 })
    expect(official.sizes).toEqual([1])
  })

  test('the signal of a pipeline ends a wait, too', async () => {
    const official = new StallingOtelExporter()
    const exporter = fromLogRecordExporter(official, { exportTimeoutMillis: 0, retry: false })
    const controller = new AbortController()
    const result = exporter.export(otlpBatch(['a']), controller.signal)
    await official.called(1)
    controller.abort()
    expect(await result).toEqual({ status: 'unknown', accepted: 0 })
    expect(await exporter.export(otlpBatch(['b']), controller.signal)).toEqual({ status: 'retryable', accepted: 0 })
    expect(official.bodies).toEqual(['a'])
  })
})

describe('options', () => {
  const take = new ConsoleLogRecordExporter() as OtelLogRecordExporter

  test('wrong ones throw one error that lists all of them', () => {
    const options = { numbers: 'x', maxQueueSize: 0, nane: 'a', retry: { maxElapsedMillis: -1 } }
    expect(problemsOf(() => fromLogRecordExporter({} as never, options as never))).toEqual([
      ['SLUICE_OPTION_TYPE', 'exporter'],
      ['SLUICE_OPTION_RANGE', 'fromLogRecordExporter.numbers'],
      ['SLUICE_OPTION_RANGE', 'fromLogRecordExporter.maxQueueSize'],
      ['SLUICE_OPTION_UNKNOWN', 'fromLogRecordExporter.nane'],
      ['SLUICE_OPTION_RANGE', 'fromLogRecordExporter.retry.maxElapsedMillis'],
    ])
  })

  test.each([undefined, null, 5, {}, { export() {} }])('%p is no exporter', (given) => {
    expect(problemsOf(() => fromLogRecordExporter(given as never))).toEqual([['SLUICE_OPTION_TYPE', 'exporter']])
  })

  test('PRO6 an exporter serves one', () => {
    expect(fromLogRecordExporter(take).name).toBe('ConsoleLogRecordExporter')
    expect(problemsOf(() => fromLogRecordExporter(take))).toEqual([['SLUICE_EXPORTER_IN_USE', 'exporter']])
  })

  test('name and delivery are what they say', () => {
    const exporter = fromLogRecordExporter(new StallingOtelExporter(), {
      name: 'mine',
      level: 'warn',
      maxQueueSize: 100,
      scheduledDelayMillis: 7,
    })
    expect(exporter).toMatchObject({
      name: 'mine',
      schedule: { delayMillis: 7 },
      delivery: { level: 'warn', maxQueueSize: 100, maxExportBatchSize: 100 },
    })
    expect(fromLogRecordExporter({ export() {}, shutdown: async () => {} }).name).toBe('LogRecordExporter')
  })
})

/** What is made of one batch, and what is told. */
async function exported(
  official: OtelLogRecordExporter,
  options: Parameters<typeof fromLogRecordExporter>[1] = {},
): Promise<{ readonly result: ExportResult; readonly told: readonly string[] }> {
  const exporter = fromLogRecordExporter(official, { retry: false, ...options })
  const host = recordingHost()
  exporter.start!(host)
  const result = await exporter.export(otlpBatch(['a', 'b']), undefined)
  return { result, told: host.problems.map(({ code, message }) => `${code}: ${message}`) }
}

function problemsOf(make: () => unknown): unknown[] {
  try {
    make()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => [code, path])
    throw error
  }
  return []
}

function thrower(): never {
  throw new Error('secret')
}
