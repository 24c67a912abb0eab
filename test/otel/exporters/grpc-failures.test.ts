import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc'
import protobuf from 'protobufjs'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { ExportResult } from '../../../src/entries/exporters.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { grpcLogsServer, status, type GrpcLogsServer, type GrpcError } from './grpc-server.ts'
import { otlpBatch } from './otlp-batch.ts'

const field = (id: number, type: string, rule?: 'repeated') => ({ id, type, ...(rule === undefined ? {} : { rule }) })

/** Messages of google.rpc, from their public definitions. */
const messages = protobuf.Root.fromJSON({
  nested: {
    Any: { fields: { type_url: field(1, 'string'), value: field(2, 'bytes') } },
    Status: { fields: { code: field(1, 'int32'), message: field(2, 'string'), details: field(3, 'Any', 'repeated') } },
    Duration: { fields: { seconds: field(1, 'int64'), nanos: field(2, 'int32') } },
    RetryInfo: { fields: { retry_delay: field(1, 'Duration') } },
    DebugInfo: { fields: { stack_entries: field(1, 'string', 'repeated'), detail: field(2, 'string') } },
  },
})

function encode(type: string, value: object): Uint8Array {
  const message = messages.lookupType(type)
  return message.encode(message.fromObject(value)).finish()
}

const any = (type: string, value: object) => ({
  type_url: `type.googleapis.com/google.rpc.${type}`,
  value: encode(type, value),
})
const retryAfter = (seconds: number, nanos = 0) => any('RetryInfo', { retry_delay: { seconds, nanos } })
const statusOf = (...details: object[]) => encode('Status', { code: 14, message: 'later', details })

let server: GrpcLogsServer
/** The error with which the server responds; undefined: it accepts the batch. */
let answer: GrpcError | undefined
let calls = 0

beforeAll(async () => {
  server = await grpcLogsServer(() => {
    calls++
    return answer
  })
})

afterAll(() => server.close())

beforeEach(() => {
  calls = 0
})

/** Exports one batch, and returns its result and the diagnostics. */
async function exported(
  to = server.url,
): Promise<{ readonly result: ExportResult; readonly diagnostics: readonly string[] }> {
  const exporter = fromLogRecordExporter(new OTLPLogExporter({ url: to }), { retry: false })
  const host = recordingHost()
  exporter.start!(host)
  const result = await exporter.export(otlpBatch(['a', 'b']), undefined)
  await exporter.shutdown!()
  return { result, diagnostics: host.diagnostics.map(({ code, message }) => `${code}: ${message}`) }
}

const retryable = { status: 'retryable', accepted: 0 }
const rejected = { status: 'rejected', accepted: 0, reason: 'rejected' }

// Requirements: OTL12
// Fault rows: 42
describe('gRPC status codes', () => {
  test.each<[string, number, object]>([
    ['CANCELLED', status.CANCELLED, retryable],
    ['DEADLINE_EXCEEDED', status.DEADLINE_EXCEEDED, retryable],
    ['ABORTED', status.ABORTED, retryable],
    ['OUT_OF_RANGE', status.OUT_OF_RANGE, retryable],
    ['UNAVAILABLE', status.UNAVAILABLE, retryable],
    ['DATA_LOSS', status.DATA_LOSS, retryable],
    ['RESOURCE_EXHAUSTED', status.RESOURCE_EXHAUSTED, rejected],
    ['UNKNOWN', status.UNKNOWN, rejected],
    ['INVALID_ARGUMENT', status.INVALID_ARGUMENT, rejected],
    ['NOT_FOUND', status.NOT_FOUND, rejected],
    ['ALREADY_EXISTS', status.ALREADY_EXISTS, rejected],
    ['PERMISSION_DENIED', status.PERMISSION_DENIED, rejected],
    ['UNAUTHENTICATED', status.UNAUTHENTICATED, rejected],
    ['FAILED_PRECONDITION', status.FAILED_PRECONDITION, rejected],
    ['UNIMPLEMENTED', status.UNIMPLEMENTED, rejected],
    ['INTERNAL', status.INTERNAL, rejected],
  ])('an export that fails with the gRPC status %s is retryable only if OTLP allows it', async (_, code, expected) => {
    answer = { code }
    const { result, diagnostics } = await exported()
    expect(result).toEqual(expected)
    expect(calls).toBe(1)
    expect(diagnostics).toEqual([`SLUICE_EXPORT_FAILED: OTLPLogExporter did not deliver a batch (gRPC status ${code})`])
  })

  test.each<[string, Uint8Array, number | undefined]>([
    ['a RetryInfo of 2.5 s', statusOf(retryAfter(2, 500_000_000)), 2_500],
    ['a RetryInfo of 0 s', statusOf(retryAfter(0)), 0],
    [
      'a RetryInfo of 1 h after other details',
      statusOf(any('DebugInfo', { stack_entries: ['a', 'b'], detail: 'x' }), retryAfter(3_600)),
      3_600_000,
    ],
    ['a RetryInfo with a negative delay', statusOf(retryAfter(-5)), 0],
    ['a RetryInfo without a delay', statusOf(any('RetryInfo', {})), 0],
    [
      'details without a RetryInfo',
      statusOf(any('DebugInfo', { detail: 'type.googleapis.com/google.rpc.RetryInfo' })),
      undefined,
    ],
    ['no details', statusOf(), undefined],
    ['details that are not a Status', new Uint8Array([0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]), undefined],
    ['details with an unterminated varint', new Uint8Array(40).fill(0xff), undefined],
    ['half of a Status', statusOf(retryAfter(2)).slice(0, 20), undefined],
    ['a Status without its last byte', statusOf(retryAfter(300)).slice(0, -1), undefined],
  ])('RESOURCE_EXHAUSTED with %s is retryable only if the details contain a RetryInfo', async (_, details, delay) => {
    answer = { code: status.RESOURCE_EXHAUSTED, details }
    const { result } = await exported()
    expect(result).toEqual(delay === undefined ? rejected : { ...retryable, retryAfterMillis: delay })
  })

  test('UNAVAILABLE is retryable after the delay of its RetryInfo', async () => {
    answer = { code: status.UNAVAILABLE, details: statusOf(retryAfter(7)) }
    expect((await exported()).result).toEqual({ ...retryable, retryAfterMillis: 7_000 })
  })

  test('an unreachable server is reported as UNAVAILABLE', async () => {
    const { result, diagnostics } = await exported('http://127.0.0.1:1')
    expect(result).toEqual(retryable)
    expect(diagnostics[0]).toContain('gRPC status 14')
  })
})

test('a batch that the server accepts has the status accepted', async () => {
  answer = undefined
  expect((await exported()).result).toEqual({ status: 'accepted' })
})

// Requirements: D17
test('a batch that fails with UNAVAILABLE is retried after each RetryInfo delay until accepted', async () => {
  const times: number[] = []
  const own = await grpcLogsServer(() => {
    times.push(performance.now())
    const details = statusOf(retryAfter(0, 60_000_000))
    return times.length < 3 ? { code: status.UNAVAILABLE, details } : undefined
  })
  try {
    const official = new OTLPLogExporter({ url: own.url })
    const exporter = fromLogRecordExporter(official, { retry: { initialDelayMillis: 10 } })
    const log = createLogger({ exporter, onDiagnostic: () => {} })
    log.info('a')
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(times).toHaveLength(3)
    expect(times[1]! - times[0]!).toBeGreaterThan(55)
    expect(times[2]! - times[1]!).toBeGreaterThan(55)
    await log.shutdown()
    expect(log.stats()).toMatchObject({ written: 1, unknown: 0, dropped: { total: 0 } })
  } finally {
    await own.close()
  }
})
