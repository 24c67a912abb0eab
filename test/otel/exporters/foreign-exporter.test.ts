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
import { StallingOtelExporter } from '../processor/sdks.ts'
import { otlpBatch } from './otlp-batch.ts'

describe('a logger with an SDK exporter', () => {
  test('all records of a logger have the same scope and resource objects', async () => {
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

  test('records of a logger without a name have a scope with an empty name', async () => {
    const official = new StallingOtelExporter(true)
    const log = createLogger({ exporter: fromLogRecordExporter(official) })
    log.info('x')
    await log.shutdown()
    expect(official.batches[0]![0]!.instrumentationScope).toEqual({ name: '' })
    expect(official.calls.at(-1)).toBe('shutdown')
  })

  // Requirements: BLR1
  test('a batch has at most 512 records, however long they are', async () => {
    const official = new StallingOtelExporter(true)
    const log = createLogger({ exporter: fromLogRecordExporter(official) })
    for (let index = 0; index < 1_100; index++) log.info('x'.repeat(1_000))
    await log.shutdown()
    expect(official.sizes).toEqual([512, 512, 76])
  })

  // Requirements: BLR1
  test('the defaults are a queue of 2,048, batches of 512, a delay of 1,000 ms and a timeout of 30 s', async () => {
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

const retryable = { status: 'retryable', accepted: 0 }
const unknown = { status: 'unknown', accepted: 0 }
const failed = (reason: string) => ({ status: 'rejected', accepted: 0, reason })
const errorWith = (members: object) => Object.assign(new Error('secret'), members)

describe('the result of an export', () => {
  test.each<[string, unknown, object]>([
    ['code 0', { code: 0 }, { status: 'accepted' }],
    ['code 1 without an error', { code: 1 }, failed('io_error')],
    ['code 1 with an error', { code: 1, error: new Error('secret') }, failed('io_error')],
    ['no result', undefined, failed('io_error')],
    ['an HTTP status', { code: 1, error: errorWith({ name: 'OTLPExporterError', code: 400 }) }, failed('rejected')],
    ['a lost connection', { code: 1, error: errorWith({ code: 'ECONNRESET' }) }, unknown],
    ['a request timeout', { code: 1, error: new Error('Request timed out') }, unknown],
    ['a network error', { code: 1, error: errorWith({ code: 'ECONNREFUSED' }) }, retryable],
    ['a system error', { code: 1, error: errorWith({ code: 'ENOSPC' }) }, failed('io_error')],
    ['a number that is not a gRPC status', { code: 1, error: errorWith({ code: 14 }) }, failed('rejected')],
    ['an error that throws when it is read', { code: 1, error: new Proxy({}, { get: thrower }) }, failed('io_error')],
  ])('fromLogRecordExporter converts %s to the matching export status', async (_, answer, expected) => {
    const { result, diagnostics } = await exported({
      export: (__, resultCallback) => resultCallback(answer as { code: number }),
      shutdown: async () => {},
    })
    expect(result).toEqual(expected)
    expect(diagnostics).toHaveLength(answer !== undefined && (answer as { code: number }).code === 0 ? 0 : 1)
    expect(diagnostics.join()).not.toContain('secret')
  })

  // Requirements: D12, ERR1
  test('an export that throws is rejected with io_error', async () => {
    const { result } = await exported({ export: thrower, shutdown: async () => {} })
    expect(result).toEqual(failed('io_error'))
  })

  // Requirements: OTL8
  test.each([
    [400, failed('rejected'), 'OTLPExporterError 400'],
    [503, retryable, 'OTLPExporterError'],
  ])(
    'fromLogRecordExporter converts an HTTP status of %i from the exporters of both SDK versions',
    async (status, expected, cause) => {
      // Retry-After is longer than the timeout of the exporter, so the exporter does not retry.
      const server = createServer((_, response) => response.writeHead(status, { 'retry-after': '60' }).end('secret'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      try {
        for (const Exporter of [OTLPLogExporter, oldHttp.OTLPLogExporter]) {
          const { result, diagnostics } = await exported(new Exporter({ url, timeoutMillis: 2_000 }))
          expect(result).toEqual(expected)
          expect(diagnostics).toEqual([`SLUICE_EXPORT_FAILED: OTLPLogExporter did not deliver a batch (${cause})`])
        }
      } finally {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  )
})

describe('exportTimeoutMillis', () => {
  // Requirements: D19
  // Fault rows: 40
  test('exportTimeoutMillis ends an export whose response never completes', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 2)
      response.once('close', () => clearInterval(drip))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      const official = new OTLPLogExporter({ url, timeoutMillis: 150 }) as OtelLogRecordExporter
      const { result, diagnostics } = await exported(official, { exportTimeoutMillis: 500 })
      expect(result).toEqual({ status: 'unknown', accepted: 0 })
      expect(diagnostics).toEqual(['SLUICE_EXPORT_TIMEOUT: OTLPLogExporter did not return a result in time'])
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  // Requirements: PRO6
  test('export is not called again before its callback, and a batch not passed to it is retryable', async () => {
    const official = new StallingOtelExporter()
    const exporter = fromLogRecordExporter(official, { exportTimeoutMillis: 5, retry: false })
    expect(await exporter.export(otlpBatch(['a']), undefined)).toEqual({ status: 'unknown', accepted: 0 })
    expect(await exporter.export(otlpBatch(['b']), undefined)).toEqual({ status: 'retryable', accepted: 0 })
    const third = exporter.export(otlpBatch(['c']), undefined)
    official.respond()
    await official.called(2)
    official.respond()
    expect(await third).toEqual({ status: 'accepted' })
    expect(official.bodies).toEqual(['a', 'c'])
    expect(official.maxOpen).toBe(1)
  })

  test('a retry of a batch whose export is still in flight waits for that export', async () => {
    const official = new StallingOtelExporter()
    const exporter = fromLogRecordExporter(official, { exportTimeoutMillis: 5, retry: { initialDelayMillis: 1 } })
    exporter.start!(recordingHost())
    const result = exporter.export(otlpBatch(['a']), undefined)
    await new Promise((resolve) => setTimeout(resolve, 30))
    official.respond()
    // The outcome of the first attempt was unknown, so the batch may be duplicated.
    expect(await result).toEqual({ status: 'accepted', maybeDuplicated: 1 })
    expect(official.sizes).toEqual([1])
  })

  test('the abort signal of the pipeline ends the wait for an export', async () => {
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
  const consoleExporter = new ConsoleLogRecordExporter() as OtelLogRecordExporter

  test('invalid options throw one error that lists all of them', () => {
    const options = { numbers: 'x', maxQueueSize: 0, nane: 'a', retry: { maxElapsedMillis: -1 } }
    expect(problemsOf(() => fromLogRecordExporter({} as never, options as never))).toEqual([
      ['SLUICE_OPTION_TYPE', 'exporter'],
      ['SLUICE_OPTION_RANGE', 'fromLogRecordExporter.numbers'],
      ['SLUICE_OPTION_RANGE', 'fromLogRecordExporter.maxQueueSize'],
      ['SLUICE_OPTION_UNKNOWN', 'fromLogRecordExporter.nane'],
      ['SLUICE_OPTION_RANGE', 'fromLogRecordExporter.retry.maxElapsedMillis'],
    ])
  })

  test.each([undefined, null, 5, {}, { export() {} }])('the value %p is rejected as an exporter', (given) => {
    expect(problemsOf(() => fromLogRecordExporter(given as never))).toEqual([['SLUICE_OPTION_TYPE', 'exporter']])
  })

  // Requirements: PRO6
  test('an SDK exporter that is already wrapped is rejected', () => {
    expect(fromLogRecordExporter(consoleExporter).name).toBe('ConsoleLogRecordExporter')
    expect(problemsOf(() => fromLogRecordExporter(consoleExporter))).toEqual([['SLUICE_EXPORTER_IN_USE', 'exporter']])
  })

  test('the options set the name, the schedule and the delivery of the exporter', () => {
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

/** Exports one batch, and returns its result and the diagnostics. */
async function exported(
  official: OtelLogRecordExporter,
  options: Parameters<typeof fromLogRecordExporter>[1] = {},
): Promise<{ readonly result: ExportResult; readonly diagnostics: readonly string[] }> {
  const exporter = fromLogRecordExporter(official, { retry: false, ...options })
  const host = recordingHost()
  exporter.start!(host)
  const result = await exporter.export(otlpBatch(['a', 'b']), undefined)
  return { result, diagnostics: host.diagnostics.map(({ code, message }) => `${code}: ${message}`) }
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
