import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { fetchExporter } from '../../src/entries/core.ts'
import { createLogger } from '../../src/entries/index.ts'
import { fdExporter, fileExporter, otlpExporter, retry } from '../../src/entries/exporters.ts'
import { createLoggerProvider, fromLogRecordExporter } from '../../src/entries/otel.ts'
import type { Exporter } from '../../src/pipeline/exporter.ts'

/** The status code of every response. */
let statusCode = 413
let requests = 0
let url: string
const server = http.createServer((request, response) => {
  requests++
  request.resume().once('end', () => response.writeHead(statusCode).end())
})
const directory = mkdtempSync(join(tmpdir(), 'sluice-feedback-'))

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(directory, { recursive: true })
})
beforeEach(() => {
  requests = 0
})

const quick = { initialDelayMillis: 1, maxDelayMillis: 2, maxElapsedMillis: 5 }

/** Exporters that deliver nothing, and the status code of every response. */
const exporters: Readonly<Record<string, { readonly status?: number; create(): Exporter }>> = {
  'otlpExporter, 413': { create: () => otlpExporter({ url, retry: quick }) },
  'otlpExporter of protobuf, 413': { create: () => otlpExporter({ url, protocol: 'http/protobuf', retry: quick }) },
  'otlpExporter, 400': { status: 400, create: () => otlpExporter({ url, retry: quick }) },
  'otlpExporter, 503': { status: 503, create: () => otlpExporter({ url, retry: quick }) },
  'otlpExporter, maxRequestBytes 64': {
    status: 200,
    create: () => otlpExporter({ url, maxRequestBytes: 64, retry: quick }),
  },
  'fetchExporter, 413': { create: () => fetchExporter({ url, retry: quick }) },
  'fetchExporter, maxRequestBytes 64': {
    status: 200,
    create: () => fetchExporter({ url, maxRequestBytes: 64, retry: quick }),
  },
  'an exporter of the SDK, 413': {
    create: () => fromLogRecordExporter(new OTLPLogExporter({ url }), { retry: false, scheduledDelayMillis: 1 }),
  },
  'a full device': { create: () => fileExporter({ path: '/dev/full' }) },
  'a descriptor that is not open': { create: () => retry(fdExporter({ fd: 1_000 }), quick) },
  'a file, maxQueueBytes 64': { create: () => fileExporter({ path: join(directory, 'lines.log'), maxQueueBytes: 64 }) },
}

const userRecords = 12

/** Logs twelve records, some in one turn, and returns the logger or provider. */
async function use(exporter: Exporter, through: 'createLogger' | 'a provider') {
  const options = { exporter, onDiagnostic() {}, handleExit: false }
  const logger = through === 'createLogger' ? createLogger(options) : undefined
  const provider = logger === undefined ? createLoggerProvider(options) : undefined
  const emit = logger === undefined ? provider!.getLogger('a') : undefined
  for (let index = 0; index < userRecords; index++) {
    logger?.info(`record ${index}`)
    emit?.emit({ body: `record ${index}`, severityNumber: 9 })
    if (index % 3 === 0) await after(10)
  }
  return logger ?? provider!
}

const cases = Object.keys(exporters).flatMap((name) =>
  (['createLogger', 'a provider'] as const).map((through) => [name, through] as const),
)

describe('drop reports of a destination that accepts nothing', () => {
  // Requirements: ERR5
  test.each(cases)(
    'a drop report that is dropped (%s, through %s) causes no further drop report',
    async (name, through) => {
      const { status = 413, create } = exporters[name]!
      statusCode = status
      const logger = await use(create(), through)
      const emitted = () => logger.stats().exporters[0]!.emitted
      const flush = () =>
        'flush' in logger ? logger.flush({ timeoutMillis: 200 }) : logger.forceFlush({ timeoutMillis: 200 })
      // First the records, then their drop report, which is queued behind them.
      for (let round = 0; round < 3; round++) {
        await Promise.resolve(flush()).catch(() => {})
        await after(30)
      }
      // Idle: nothing is logged, but the event loop runs and pending records are flushed.
      const before = { emitted: emitted(), requests }
      for (let round = 0; round < 5; round++) {
        await Promise.resolve(flush()).catch(() => {})
        await after(30)
      }
      // Requests with a 503 response are retried for a while.
      const now = { emitted: emitted(), requests: status === 503 ? before.requests : requests }
      expect(now).toEqual(before)
      expect(emitted()).toBeLessThanOrEqual(2 * userRecords)
      // A batch that is too large is halved down to single records, and each may be retried.
      expect(requests).toBeLessThanOrEqual(12 * userRecords)
      await logger.shutdown()
    },
  )
})
