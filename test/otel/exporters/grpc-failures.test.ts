import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc'
import protobuf from 'protobufjs'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { ExportResult } from '../../../src/entries/exporters.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { grpcLogsServer, status, type GrpcLogsServer, type GrpcRefusal } from './grpc-server.ts'
import { otlpBatch } from './otlp-batch.ts'

const field = (id: number, type: string, rule?: 'repeated') => ({ id, type, ...(rule === undefined ? {} : { rule }) })

/** Messages of google.rpc, by their public definitions. */
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
/** What the server answers; undefined: it takes the batch. */
let answer: GrpcRefusal | undefined
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

/** What is made of the server's answer, and what is told. */
async function exported(to = server.url): Promise<{ readonly result: ExportResult; readonly told: readonly string[] }> {
  const exporter = fromLogRecordExporter(new OTLPLogExporter({ url: to }), { retry: false })
  const host = recordingHost()
  exporter.start!(host)
  const result = await exporter.export(otlpBatch(['a', 'b']), undefined)
  await exporter.shutdown!()
  return { result, told: host.problems.map(({ code, message }) => `${code}: ${message}`) }
}

const again = { status: 'retryable', accepted: 0 }
const final = { status: 'rejected', accepted: 0, reason: 'rejected' }

describe('OTL12 (row 42) a status of gRPC', () => {
  test.each<[string, number, object]>([
    ['CANCELLED', status.CANCELLED, again],
    ['DEADLINE_EXCEEDED', status.DEADLINE_EXCEEDED, again],
    ['ABORTED', status.ABORTED, again],
    ['OUT_OF_RANGE', status.OUT_OF_RANGE, again],
    ['UNAVAILABLE', status.UNAVAILABLE, again],
    ['DATA_LOSS', status.DATA_LOSS, again],
    ['RESOURCE_EXHAUSTED', status.RESOURCE_EXHAUSTED, final],
    ['UNKNOWN', status.UNKNOWN, final],
    ['INVALID_ARGUMENT', status.INVALID_ARGUMENT, final],
    ['NOT_FOUND', status.NOT_FOUND, final],
    ['ALREADY_EXISTS', status.ALREADY_EXISTS, final],
    ['PERMISSION_DENIED', status.PERMISSION_DENIED, final],
    ['UNAUTHENTICATED', status.UNAUTHENTICATED, final],
    ['FAILED_PRECONDITION', status.FAILED_PRECONDITION, final],
    ['UNIMPLEMENTED', status.UNIMPLEMENTED, final],
    ['INTERNAL', status.INTERNAL, final],
  ])('%s', async (_, code, expected) => {
    answer = { code }
    const { result, told } = await exported()
    expect(result).toEqual(expected)
    expect(calls).toBe(1)
    expect(told).toEqual([`SLUICE_EXPORT_FAILED: OTLPLogExporter did not deliver a batch (gRPC status ${code})`])
  })

  test.each<[string, Uint8Array, number | undefined]>([
    ['2.5 s', statusOf(retryAfter(2, 500_000_000)), 2_500],
    ['nothing', statusOf(retryAfter(0)), 0],
    [
      'an hour, behind other details',
      statusOf(any('DebugInfo', { stack_entries: ['a', 'b'], detail: 'x' }), retryAfter(3_600)),
      3_600_000,
    ],
    ['a negative time', statusOf(retryAfter(-5)), 0],
    ['no time', statusOf(any('RetryInfo', {})), 0],
    ['no RetryInfo', statusOf(any('DebugInfo', { detail: 'type.googleapis.com/google.rpc.RetryInfo' })), undefined],
    ['no details', statusOf(), undefined],
    ['bytes that are no Status', new Uint8Array([0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]), undefined],
    ['a varint without end', new Uint8Array(40).fill(0xff), undefined],
    ['half a Status', statusOf(retryAfter(2)).slice(0, 20), undefined],
    ['a Status without its last byte', statusOf(retryAfter(300)).slice(0, -1), undefined],
  ])('RESOURCE_EXHAUSTED whose RetryInfo asks for %s', async (_, details, delay) => {
    answer = { code: status.RESOURCE_EXHAUSTED, details }
    const { result } = await exported()
    expect(result).toEqual(delay === undefined ? final : { ...again, retryAfterMillis: delay })
  })

  test('UNAVAILABLE keeps the delay of its RetryInfo', async () => {
    answer = { code: status.UNAVAILABLE, details: statusOf(retryAfter(7)) }
    expect((await exported()).result).toEqual({ ...again, retryAfterMillis: 7_000 })
  })

  test('of nobody who listens is UNAVAILABLE', async () => {
    const { result, told } = await exported('http://127.0.0.1:1')
    expect(result).toEqual(again)
    expect(told[0]).toContain('gRPC status 14')
  })
})

test('what the server takes is accepted', async () => {
  answer = undefined
  expect((await exported()).result).toEqual({ status: 'accepted' })
})

test('D17 what is UNAVAILABLE is sent again until it is taken, not before the time that its RetryInfo asks for', async () => {
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
