import { describe, expect, test } from '@jest/globals'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import type { Encoding } from '../../src/encode/encoding.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { EncodingLogRecordExporter } from '../../src/otel/sdk/encoding-exporter.ts'
import { sdkRecordLimits, recordLimits } from '../../src/otel/api/limits.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { ReadableLogRecord } from '../../src/otel/api/types.ts'
import type { EncodedBatch, Exporter } from '../../src/pipeline/exporter.ts'
import type { Limits } from '../../src/values/limits.ts'
import type { Diagnostic } from '../../src/options/configuration-error.ts'
import { decodeRequest, type OtlpJson } from '../support/otlp/messages.ts'

const bodies: [string, () => unknown][] = [
  ['a string of 1 MB', () => 'x'.repeat(1_000_000)],
  ['a string of 1 MB with 3-byte characters', () => '€'.repeat(333_000)],
  [
    'a map of 300 kB',
    () => Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`k${index}`, 'x'.repeat(90)])),
  ],
  ['a list of 20,000 integers', () => Array.from({ length: 20_000 }, (_, index) => index)],
  ['400 kB of bytes', () => new Uint8Array(400_000).fill(7)],
]

/** Stores the decoded records of its batches. */
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

interface Emitter {
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

const emitters: [string, (exporter: Exporter, limits?: Limits) => Emitter][] = [
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

async function sentBy(make: (typeof emitters)[number][1], fields: object, limits?: Limits) {
  const sent = []
  for (const protocol of protocols) {
    const exporter = new DecodingExporter(otlpEncoding(protocol))
    const emitter = make(exporter, limits)
    emitter.emit(fields)
    await emitter.flush()
    sent.push({
      record: exporter.records[0]!,
      truncated: emitter.stats().truncated,
      codes: emitter.problems.map(({ code }) => code),
    })
  }
  return sent as [(typeof sent)[number], (typeof sent)[number]]
}

/** Returns the length of a decoded body. */
function sizeOf(body: any): number {
  if (body.stringValue !== undefined) return body.stringValue.length
  if (body.bytesValue !== undefined) return Buffer.from(body.bytesValue, 'base64').length
  return (body.arrayValue ?? body.kvlistValue).values.length
}

describe.each(emitters)('limits.recordBytes of %s', (_, make) => {
  // Requirements: LIM7
  test.each(bodies)('a body that is %s is sent complete as protobuf and as JSON', async (_name, bodyOf) => {
    const body = bodyOf() as any
    const [protobuf, json] = await sentBy(make, { body, attributes: { large: body } })
    expect(sizeOf(protobuf.record['body'])).toBe(body.length ?? Object.keys(body).length)
    expect(json.record).toEqual(protobuf.record)
    expect([protobuf.truncated, json.truncated, protobuf.codes, json.codes]).toEqual([0, 0, [], []])
  })

  test.each(bodies)(
    'a body that is %s is truncated equally in both protocols at limits.recordBytes, reported and counted',
    async (_name, bodyOf) => {
      const limits = { recordBytes: 100_000 }
      const [protobuf, json] = await sentBy(make, { body: bodyOf(), attributes: { small: 1 } }, limits)
      expect(JSON.stringify(protobuf.record['body'])).toMatch(/\[\+\d+ characters\]|\[Cut: \d+ bytes\]/)
      expect(json.record).toEqual(protobuf.record)
      expect([protobuf.truncated, json.truncated]).toEqual([1, 1])
      expect([protobuf.codes, json.codes]).toEqual([['SLUICE_RECORD_TRUNCATED'], ['SLUICE_RECORD_TRUNCATED']])
    },
  )

  test('a record with more than 4,000,000 bytes or too many values is truncated and counted', async () => {
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
  ])('%s are not longer than limits.recordBytes, and truncated records are counted', async (_name, encoding) => {
    const exporter = new DecodingExporter(encoding)
    const emitter = make(exporter, { recordBytes: 2_000 })
    for (const length of [10, 5_000, 10, 100_000]) emitter.emit({ body: 'x"'.repeat(length) })
    await emitter.flush()
    expect(exporter.lines.every((line) => Buffer.byteLength(line) <= 2_000)).toBe(true)
    expect(emitter.stats()).toMatchObject({ truncated: 2, emitted: 4 })
    expect(emitter.problems).toHaveLength(1)
  })
})

test('each exporter counts the records that were truncated for it', async () => {
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
  // Escaping makes it larger in JSON than in protobuf.
  logger.emit({ severityNumber: 9, body: '"'.repeat(1_200) })
  await provider.shutdown()
  const { exporters, truncated } = provider.stats()
  expect([exporters.map((one) => one.truncated), truncated]).toEqual([[2, 3, 1], 6])
})

test('a logger counts truncated records', async () => {
  const exporter = new DecodingExporter(jsonLines())
  const log = createLogger({ exporter, limits: { recordBytes: 1_024 } })
  log.info('x'.repeat(5_000), { a: 'y'.repeat(5_000) })
  log.info('short')
  await log.shutdown()
  expect(log.stats()).toMatchObject({ truncated: 1, exporters: [{ truncated: 1 }] })
})

describe('SLUICE_RECORD_BYTES', () => {
  test('SLUICE_RECORD_BYTES sets the default of limits.recordBytes, and the option overrides it', () => {
    expect(limitsIn({}).bytes).toEqual([4_000_000, 4_000_000])
    expect(limitsIn({ SLUICE_RECORD_BYTES: '262144' }).bytes).toEqual([262_144, 262_144])
    expect(limitsIn({ SLUICE_RECORD_BYTES: '262144' }, { recordBytes: 2_000 }).bytes).toEqual([2_000, 2_000])
  })

  test.each(['1023', '-1', '1e6', 'none'])('a SLUICE_RECORD_BYTES of %j is ignored with a warning', (value) => {
    expect(limitsIn({ SLUICE_RECORD_BYTES: value })).toEqual({
      bytes: [4_000_000, 4_000_000],
      codes: ['SLUICE_ENV_INVALID'],
    })
  })
})

function limitsIn(env: Record<string, string>, given?: Limits) {
  const codes: string[] = []
  const onDiagnostic = ({ code }: Diagnostic) => codes.push(code)
  const ours = recordLimits(given, onDiagnostic, [], env)
  return { bytes: [ours.recordBytes, sdkRecordLimits(given, 'x', onDiagnostic, [], env).recordBytes], codes }
}
