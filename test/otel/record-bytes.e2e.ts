import { describe, expect, test } from '@jest/globals'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import type { Encoding } from '../../src/encode/encoding.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { EncodingLogRecordExporter } from '../../src/otel/sdk/encoding-exporter.ts'
import { readableLimits, recordLimits } from '../../src/otel/api/limits.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { ReadableLogRecord } from '../../src/otel/api/types.ts'
import type { EncodedBatch, Exporter } from '../../src/pipeline/exporter.ts'
import type { Limits } from '../../src/values/limits.ts'
import type { Diagnostic } from '../../src/options/configuration-error.ts'
import { decodeRequest, type OtlpJson } from '../support/otlp/messages.ts'

const bodies: [string, () => unknown][] = [
  ['a text of 1 MB', () => 'x'.repeat(1_000_000)],
  ['a text of 1 MB in three bytes a character', () => '€'.repeat(333_000)],
  [
    'a map of 300 kB',
    () => Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`k${index}`, 'x'.repeat(90)])),
  ],
  ['a list of 20,000 integers', () => Array.from({ length: 20_000 }, (_, index) => index)],
  ['400 kB of bytes', () => new Uint8Array(400_000).fill(7)],
]

/** Keeps the records of its batches as the protocol's reader has them. */
class DecodingExporter implements Exporter {
  readonly name = 'decoding'
  readonly schedule = 'turn'
  readonly delivery = {}
  readonly encoding: Encoding
  readonly records: OtlpJson[] = []
  readonly lines: string[] = []

  constructor(encoding: Encoding) {
    this.encoding = encoding
  }

  export(batch: EncodedBatch): { status: 'accepted' } {
    const { request } = this.encoding as Partial<ReturnType<typeof otlpEncoding>>
    if (request === undefined) {
      for (const { text } of batch.records()) this.lines.push(text)
      return { status: 'accepted' }
    }
    const bytes = Buffer.concat(request(batch.bytes(), batch.sources()))
    const decoded = this.encoding.binary === true ? decodeRequest(bytes) : (JSON.parse(String(bytes)) as OtlpJson)
    const resourceLogs = decoded['resourceLogs'] as any[]
    this.records.push(...resourceLogs.flatMap((one: any) => one.scopeLogs).flatMap((one: any) => one.logRecords))
    return { status: 'accepted' }
  }
}

interface Part {
  readonly problems: Diagnostic[]
  emit(fields: { body?: unknown; attributes?: object }): void
  flush(): Promise<unknown>
  stats(): { readonly truncated: number; readonly emitted: number }
}

const readable = (fields: object) =>
  ({
    hrTime: [1_700_000_000, 0],
    hrTimeObserved: [1_700_000_000, 0],
    attributes: {},
    droppedAttributesCount: 0,
    resource: { attributes: {} },
    instrumentationScope: { name: 'a' },
    ...fields,
  }) as ReadableLogRecord

const parts: [string, (exporter: Exporter, limits?: Limits) => Part][] = [
  [
    'the provider',
    (exporter, limits = {}) => {
      const problems: Diagnostic[] = []
      const onDiagnostic = (problem: Diagnostic) => problems.push(problem)
      const provider = createLoggerProvider({ exporter, limits, onDiagnostic, clock: () => 1_700_000_000_000 })
      return {
        problems,
        emit: (fields) => provider.getLogger('a').emit(fields),
        flush: () => provider.shutdown(),
        stats: provider.stats,
      }
    },
  ],
  [
    'the processor',
    (exporter, limits = {}) => {
      const problems: Diagnostic[] = []
      const onDiagnostic = (problem: Diagnostic) => problems.push(problem)
      const processor = new PipelineLogRecordProcessor({ exporter, limits, onDiagnostic })
      return {
        problems,
        emit: (fields) => processor.onEmit(readable(fields)),
        flush: () => processor.shutdown(),
        stats: () => processor.stats(),
      }
    },
  ],
  [
    'the exporter',
    (exporter, limits = {}) => {
      const problems: Diagnostic[] = []
      const onDiagnostic = (problem: Diagnostic) => problems.push(problem)
      const encoding = new EncodingLogRecordExporter({ exporter, limits, onDiagnostic })
      const emit = (fields: object) => encoding.export([readable(fields)], () => {})
      return { problems, emit, flush: () => encoding.shutdown(), stats: () => encoding.stats() }
    },
  ],
]

const protocols = ['http/protobuf', 'http/json'] as const

async function sentBy(make: (typeof parts)[number][1], fields: object, limits?: Limits) {
  const sent = []
  for (const protocol of protocols) {
    const exporter = new DecodingExporter(otlpEncoding(protocol))
    const part = make(exporter, limits)
    part.emit(fields)
    await part.flush()
    sent.push({
      record: exporter.records[0]!,
      truncated: part.stats().truncated,
      codes: part.problems.map(({ code }) => code),
    })
  }
  return sent as [(typeof sent)[number], (typeof sent)[number]]
}

/** What of a body has arrived. */
function sizeOf(body: any): number {
  if (body.stringValue !== undefined) return body.stringValue.length
  if (body.bytesValue !== undefined) return Buffer.from(body.bytesValue, 'base64').length
  return (body.arrayValue ?? body.kvlistValue).values.length
}

describe.each(parts)('%s', (_, make) => {
  test.each(bodies)('sends %s whole, as protobuf and as JSON (LIM7)', async (_name, bodyOf) => {
    const body = bodyOf() as any
    const [protobuf, json] = await sentBy(make, { body, attributes: { large: body } })
    expect(sizeOf(protobuf.record['body'])).toBe(body.length ?? Object.keys(body).length)
    expect(json.record).toEqual(protobuf.record)
    expect([protobuf.truncated, json.truncated, protobuf.codes, json.codes]).toEqual([0, 0, [], []])
  })

  test.each(bodies)(
    'cuts %s where it is told to, the same in both, and reports and counts it',
    async (_name, bodyOf) => {
      const limits = { recordBytes: 100_000 }
      const [protobuf, json] = await sentBy(make, { body: bodyOf(), attributes: { small: 1 } }, limits)
      expect(JSON.stringify(protobuf.record['body'])).toMatch(/\[\+\d+ characters\]|\[Cut: \d+ bytes\]/)
      expect(json.record).toEqual(protobuf.record)
      expect([protobuf.truncated, json.truncated]).toEqual([1, 1])
      expect([protobuf.codes, json.codes]).toEqual([['SLUICE_RECORD_TRUNCATED'], ['SLUICE_RECORD_TRUNCATED']])
    },
  )

  test('cuts what is larger than 4,000,000 bytes, also where the values are too many, and counts each record', async () => {
    let dag: object = { a: 1 }
    for (let depth = 0; depth < 25; depth++) dag = { a: dag, b: dag }
    for (const body of ['x'.repeat(5_000_000), Array(200_000).fill(1), dag]) {
      const [protobuf, json] = await sentBy(make, { body })
      expect(json.record).toEqual(protobuf.record)
      expect([protobuf.truncated, json.truncated]).toEqual([1, 1])
      expect(protobuf.codes).toEqual(['SLUICE_RECORD_TRUNCATED'])
    }
  })

  test.each([
    ['JSON lines', jsonLines()],
    ['OTLP/JSON lines', otlpJsonLines()],
  ])('counts what it cuts in %s, where a line has no more bytes than it may have', async (_name, encoding) => {
    const exporter = new DecodingExporter(encoding)
    const part = make(exporter, { recordBytes: 2_000 })
    for (const length of [10, 5_000, 10, 100_000]) part.emit({ body: 'x"'.repeat(length) })
    await part.flush()
    expect(exporter.lines.every((line) => Buffer.byteLength(line) <= 2_000)).toBe(true)
    expect(part.stats()).toMatchObject({ truncated: 2, emitted: 4 })
    expect(part.problems).toHaveLength(1)
  })
})

test('each exporter counts the records that were cut for it', async () => {
  const json = new DecodingExporter(otlpEncoding('http/json'))
  const lines = new DecodingExporter(jsonLines())
  const loud = Object.assign(new DecodingExporter(jsonLines()), { delivery: { level: 'error' } })
  const provider = createLoggerProvider({
    exporter: [json, lines, loud],
    limits: { recordBytes: 2_000 },
    onDiagnostic: () => {},
  })
  const logger = provider.getLogger('a')
  logger.emit({ severityNumber: 9, body: 'x'.repeat(5_000) })
  logger.emit({ severityNumber: 17, body: 'x'.repeat(5_000) })
  logger.emit({ severityNumber: 17, body: 'x' })
  // As JSON it takes more than in protobuf: escaped.
  logger.emit({ severityNumber: 9, body: '"'.repeat(1_200) })
  await provider.shutdown()
  const { exporters, truncated } = provider.stats()
  expect([exporters.map((one) => one.truncated), truncated]).toEqual([[2, 3, 1], 6])
})

test('a logger counts them as well', async () => {
  const exporter = new DecodingExporter(jsonLines())
  const log = createLogger({ exporter, limits: { recordBytes: 1_024 } })
  log.info('x'.repeat(5_000), { a: 'y'.repeat(5_000) })
  log.info('short')
  await log.shutdown()
  expect(log.stats()).toMatchObject({ truncated: 1, exporters: [{ truncated: 1 }] })
})

describe('SLUICE_RECORD_BYTES', () => {
  test('is the default, and code beats it', () => {
    expect(limitsIn({}).bytes).toEqual([4_000_000, 4_000_000])
    expect(limitsIn({ SLUICE_RECORD_BYTES: '262144' }).bytes).toEqual([262_144, 262_144])
    expect(limitsIn({ SLUICE_RECORD_BYTES: '262144' }, { recordBytes: 2_000 }).bytes).toEqual([2_000, 2_000])
  })

  test.each(['1023', '-1', '1e6', 'none'])('is ignored with a warning where it is %j', (value) => {
    expect(limitsIn({ SLUICE_RECORD_BYTES: value })).toEqual({
      bytes: [4_000_000, 4_000_000],
      told: ['SLUICE_ENV_INVALID'],
    })
  })
})

function limitsIn(env: Record<string, string>, given?: Limits) {
  const told: string[] = []
  const tell = ({ code }: Diagnostic) => told.push(code)
  const ours = recordLimits(given, tell, [], env)
  return { bytes: [ours.recordBytes, readableLimits(given, 'x', tell, [], env).recordBytes], told }
}
