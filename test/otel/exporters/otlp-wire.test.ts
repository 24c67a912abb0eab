import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OTLPLogExporter as GrpcExporter } from '@opentelemetry/exporter-logs-otlp-grpc'
import { OTLPLogExporter as HttpExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtoExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import type { OtelLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter-options.ts'
import { createLogger } from '../../../src/create/create-logger.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { exporterHttp as oldHttp, exporterProto as oldProto } from '../../legacy-otel/index.ts'
import { decodeRequest, type OtlpJson } from '../../support/otlp/messages.ts'
import { sdks, resourceWith } from '../processor/sdks.ts'
import { grpcLogsServer, type GrpcLogsServer } from './grpc-server.ts'

/** The requests that the servers received. */
const requests: { readonly path: string; readonly type: string; readonly body: Buffer }[] = []
let server: Server
let grpcServer: GrpcLogsServer
let url = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      requests.push({ path: request.url!, type: request.headers['content-type']!, body: Buffer.concat(parts) })
      response.writeHead(200, { 'content-type': request.headers['content-type']! }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`
  grpcServer = await grpcLogsServer((body) => {
    requests.push({ path: 'grpc', type: 'application/grpc', body })
    return undefined
  })
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await grpcServer.close()
})

const exporters: readonly (readonly [string, 'json' | 'protobuf', () => OtelLogRecordExporter])[] = [
  ['http/json of 0.301', 'json', () => new HttpExporter({ url })],
  ['http/protobuf of 0.301', 'protobuf', () => new ProtoExporter({ url })],
  ['grpc of 0.301', 'protobuf', () => new GrpcExporter({ url: grpcServer.url })],
  ['http/json of 0.223', 'json', () => new oldHttp.OTLPLogExporter({ url })],
  ['http/protobuf of 0.223', 'protobuf', () => new oldProto.OTLPLogExporter({ url })],
]

const values = {
  text: 'é 😀 \u2028',
  integer: 42,
  negative: -7,
  fraction: 1.5,
  large: 2 ** 60,
  exact: 2n ** 53n + 1n,
  least: -(2n ** 63n),
  beyond: 2n ** 64n,
  huge: 1e300,
  nan: NaN,
  infinity: Infinity,
  yes: true,
  nothing: null,
  bytes: new Uint8Array([0, 127, 255]),
  list: [1, 'a', null, [true]],
  map: JSON.parse('{"__proto__":{"a":1},"constructor":2}') as object,
}

/** The OTLP values that depend on the number range that the serializer of the exporter supports. */
const expected: Readonly<Record<'json' | 'protobuf', OtlpJson>> = {
  protobuf: {
    large: { intValue: '1152921504606846976' },
    least: { intValue: '-9223372036854775808' },
    huge: { doubleValue: 1e300 },
    nan: { doubleValue: 'NaN' },
    infinity: { doubleValue: 'Infinity' },
  },
  json: {
    large: { stringValue: '1152921504606846976' },
    least: { stringValue: '-9223372036854775808' },
    huge: { stringValue: '1e+300' },
    nan: { stringValue: 'NaN' },
    infinity: { stringValue: 'Infinity' },
  },
}

const int = (form: string, value: number) => ({ intValue: form === 'json' ? value : String(value) })

describe.each(exporters)('exports through %s', (_, form, make) => {
  // Requirements: D2, D3, JS3, JS5, JS6, JS8, JS9
  test('attribute values arrive in a form that the serializer supports', async () => {
    requests.length = 0
    const log = createLogger({
      exporter: fromLogRecordExporter(make()),
      name: 'wire',
      resource: { 'service.name': 'shop' },
    })
    log.info('values', values)
    await log.shutdown()
    expect(log.stats()).toMatchObject({ written: 1, queued: 0, dropped: { total: 0 } })
    const { attributes, body, ...record } = onlyRecord(form)
    expect(body).toEqual({ stringValue: 'values' })
    expect(record).toMatchObject({ severityNumber: 9, severityText: 'info' })
    expect(valuesOf(attributes)).toEqual({
      text: { stringValue: 'é 😀 \u2028' },
      integer: int(form, 42),
      negative: int(form, -7),
      fraction: { doubleValue: 1.5 },
      exact: { stringValue: '9007199254740993' },
      beyond: { stringValue: '18446744073709551616' },
      yes: { boolValue: true },
      nothing: {},
      bytes: { bytesValue: 'AH//' },
      list: {
        arrayValue: {
          values: [int(form, 1), { stringValue: 'a' }, {}, { arrayValue: { values: [{ boolValue: true }] } }],
        },
      },
      map: {
        kvlistValue: {
          values: [
            { key: '__proto__', value: { kvlistValue: { values: [{ key: 'a', value: int(form, 1) }] } } },
            { key: 'constructor', value: int(form, 2) },
          ],
        },
      },
      ...expected[form],
    })
  })

  test.each(sdks)('records of $name arrive with nanoseconds, trace context, scope and resource', async (sdk) => {
    requests.length = 0
    const processor = new PipelineLogRecordProcessor({ exporter: make() })
    const resource = resourceWith({ 'service.name': 'shop' })
    const provider = new sdk.LoggerProvider({ processors: [processor], resource })
    const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
    const context = sdk.api.trace.setSpanContext(sdk.api.ROOT_CONTEXT, span)
    for (const name of ['a', 'b', 'a']) {
      provider
        .getLogger(name, '1.0')
        .emit({ timestamp: [1_795_255_000, 123_456_789], body: name, context, eventName: 'e' })
    }
    await provider.shutdown()
    const [{ resource: exportedResource, scopeLogs }] = requestOf(form).resourceLogs
    expect(valuesOf(exportedResource.attributes)).toEqual({ 'service.name': { stringValue: 'shop' } })
    expect(scopeLogs.map(({ scope, logRecords }) => [scope.name, scope.version, logRecords.length])).toEqual([
      ['a', '1.0', 2],
      ['b', '1.0', 1],
    ])
    expect(scopeLogs[0]!.logRecords[0]).toMatchObject({ timeUnixNano: '1795255000123456789', eventName: 'e', flags: 1 })
  })
})

// Requirements: D2, D3
test('with the official batch processor, one NaN makes the request of the JSON exporter invalid', async () => {
  requests.length = 0
  const sdk = sdks[0]!
  const processor = new sdk.BatchLogRecordProcessor({ exporter: new HttpExporter({ url }) })
  new sdk.LoggerProvider({ processors: [processor] }).getLogger('a').emit({ attributes: { nan: NaN, huge: 1e300 } })
  await processor.shutdown()
  expect(requests[0]!.body.toString()).toMatch(/"doubleValue":null.*"intValue":1e\+300/)
})

test('numbers: double passes NaN to the exporter, and numbers: json converts it to a string', async () => {
  for (const numbers of ['double', 'json'] as const) {
    const kept: unknown[] = []
    const exporter: OtelLogRecordExporter = {
      export(records, resultCallback) {
        kept.push(...records.map(({ body }) => body))
        resultCallback({ code: 0 })
      },
      shutdown: async () => {},
    }
    const log = createLogger({ exporter: fromLogRecordExporter(exporter, { numbers }) })
    log.info([NaN, 2 ** 60])
    await log.shutdown()
    expect(kept).toEqual([numbers === 'double' ? [NaN, 2 ** 60] : ['NaN', '1152921504606846976']])
  }
})

interface Request {
  readonly resourceLogs: readonly [
    {
      readonly resource: { readonly attributes: readonly KeyValue[] }
      readonly scopeLogs: readonly {
        readonly scope: { readonly name: string; readonly version: string }
        readonly logRecords: readonly OtlpJson[]
      }[]
    },
  ]
}

interface KeyValue {
  readonly key: string
  readonly value: OtlpJson
}

function requestOf(form: 'json' | 'protobuf'): Request {
  expect(requests).toHaveLength(1)
  const [{ body }] = requests as [(typeof requests)[0]]
  return (form === 'json' ? JSON.parse(body.toString()) : decodeRequest(body)) as Request
}

function onlyRecord(form: 'json' | 'protobuf'): OtlpJson & { readonly attributes: readonly KeyValue[] } {
  const record = requestOf(form).resourceLogs[0].scopeLogs[0]!.logRecords[0]!
  return record as OtlpJson & { readonly attributes: readonly KeyValue[] }
}

function valuesOf(attributes: readonly KeyValue[]): OtlpJson {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value]))
}
