import { afterEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { memoryExporter, type MemoryRecord } from '../../../src/entries/exporters.ts'
import { PipelineLogRecordProcessor, type PipelineLogRecordProcessorOptions } from '../../../src/otel/sdk/processor.ts'
import type { EmittedLogRecord, ReadableLogRecord } from '../../../src/otel/api/types.ts'
import { sdks, resourceWith, type OfficialProcessor } from './sdks.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

const open: PipelineLogRecordProcessor[] = []

afterEach(async () => {
  for (const processor of open.splice(0)) await processor.shutdown()
})

function processorOf(options: PipelineLogRecordProcessorOptions): PipelineLogRecordProcessor {
  const processor = new PipelineLogRecordProcessor(options)
  open.push(processor)
  return processor
}

/** Returns a value with this number of levels. */
const nested = (levels: number): unknown => {
  let value: unknown = { end: true }
  for (let level = 1; level < levels; level++) value = { deep: value }
  return value
}

/** Returns the number of levels of a value, and its innermost value. */
const endOf = (given: unknown): readonly [depth: number, end: unknown] => {
  let depth = 0
  let value = given
  for (; typeof value === 'object' && value !== null; depth++) value = (value as { deep: unknown }).deep
  return [depth, value]
}

describe.each(sdks)('records of $name', (sdk) => {
  /** Returns the records that an SDK exporter behind the processor receives. */
  async function through(
    records: readonly EmittedLogRecord[],
    options: Partial<PipelineLogRecordProcessorOptions> = {},
    afterwards: () => void = () => {},
  ): Promise<readonly ReadableLogRecord[]> {
    const exporter = new sdk.InMemoryLogRecordExporter()
    const processor = processorOf({ exporter, ...options })
    emitAll([processor], records)
    afterwards()
    await processor.forceFlush()
    return exporter.getFinishedLogRecords()
  }

  /** Returns the lines of the default layout. */
  function linesOf(records: readonly EmittedLogRecord[]): readonly MemoryRecord[] {
    const memory = memoryExporter()
    emitAll([processorOf({ exporter: memory })], records)
    return memory.records
  }

  function emitAll(processors: readonly OfficialProcessor[], records: readonly EmittedLogRecord[], limit = 128): void {
    const resource = resourceWith({ 'service.name': 'shop' })
    const provider = new sdk.LoggerProvider({ processors, resource, logRecordLimits: { attributeCountLimit: limit } })
    const logger = provider.getLogger('checkout', '1.2.0', { schemaUrl: 'https://example.com/1' })
    for (const record of records) logger.emit(record)
  }

  test('every field of a record arrives at the exporter', async () => {
    const context = sdk.api.trace.setSpanContext(sdk.api.ROOT_CONTEXT, { traceId, spanId, traceFlags: 1 })
    const [record] = await through([
      {
        timestamp: [1_795_255_000, 123_456_789],
        observedTimestamp: [1_795_255_001, 1],
        severityNumber: 10,
        severityText: 'notice',
        body: 'order {orderId} placed',
        attributes: { orderId: 42 },
        eventName: 'order.placed',
        context,
      },
    ])
    expect(record).toMatchObject({
      hrTime: [1_795_255_000, 123_456_789],
      hrTimeObserved: [1_795_255_001, 1],
      severityNumber: 10,
      severityText: 'notice',
      body: 'order {orderId} placed',
      attributes: { orderId: 42 },
      eventName: 'order.placed',
      spanContext: { traceId, spanId, traceFlags: 1 },
      droppedAttributesCount: 0,
      instrumentationScope: { name: 'checkout', version: '1.2.0', schemaUrl: 'https://example.com/1' },
    })
  })

  test('fields of a record that are not set are absent', async () => {
    const [record] = await through([{ timestamp: [1, 2] }])
    const { resource: _, instrumentationScope: __, hrTimeObserved: ___, ...fields } = record!
    expect(fields).toEqual({ hrTime: [1, 2], attributes: {}, droppedAttributesCount: 0 })
  })

  test('timestamps keep exact nanoseconds, also next to whole seconds and milliseconds', async () => {
    const times: [number, number][] = [
      [0, 1],
      [0, 999_999_999],
      [1, 0],
      [1_795_255_000, 999_999_999],
      [1_795_255_000, 999_999],
      [4_102_444_800, 1_000_000],
    ]
    const records = await through(times.map((timestamp) => ({ timestamp, observedTimestamp: timestamp })))
    expect(records.map(({ hrTime }) => hrTime)).toEqual(times)
    expect(records.map(({ hrTimeObserved }) => hrTimeObserved)).toEqual(times)
  })

  // Requirements: SDK11
  test('a timestamp with milliseconds in place of seconds is replaced with the current time', () => {
    const before = Date.now()
    const mistaken: [number, number] = [1_795_255_000_123, 0]
    const [record] = linesOf([{ timestamp: mistaken, observedTimestamp: mistaken, body: 'paid' }])
    const time = Date.parse(record!.timestamp)
    expect(record).toMatchObject({ message: 'paid' })
    expect(time >= before && time <= Date.now()).toBe(true)
  })

  test('records have the scope and resource objects of the SDK', async () => {
    const own = new sdk.InMemoryLogRecordExporter()
    const theirs = new sdk.InMemoryLogRecordExporter()
    const processors = [
      processorOf({ exporter: own }),
      new sdk.SimpleLogRecordProcessor({ exporter: theirs }),
    ] as unknown as OfficialProcessor[]
    const resource = resourceWith({ 'service.name': 'shop' })
    const provider = new sdk.LoggerProvider({ processors, resource })
    for (const scope of ['a', 'b', 'a']) provider.getLogger(scope).emit({ body: scope })
    await provider.forceFlush()
    const [first, second, third] = own.getFinishedLogRecords()
    expect(first!.resource).toBe(resource)
    expect(third!.instrumentationScope).toBe(first!.instrumentationScope)
    expect(second!.instrumentationScope).not.toBe(first!.instrumentationScope)
    own.getFinishedLogRecords().forEach((record, index) => {
      expect(record.instrumentationScope).toBe(theirs.getFinishedLogRecords()[index]!.instrumentationScope)
    })
  })

  // Requirements: D5, D20
  test('a record does not change with its body after emit, unlike with the official processor', async () => {
    const body = { state: 'original', list: [1], bytes: new Uint8Array([1, 2]) }
    const change = () => {
      body.state = 'changed'
      body.list.push(2)
      body.bytes[0] = 9
    }
    const [record] = await through([{ body, attributes: { body } }], {}, change)
    const original = { state: 'original', list: [1], bytes: new Uint8Array([1, 2]) }
    expect(record).toMatchObject({ body: original, attributes: { body: original } })

    const late = { state: 'original' }
    const theirs = new sdk.InMemoryLogRecordExporter()
    const official = new sdk.BatchLogRecordProcessor({ exporter: theirs })
    emitAll([official], [{ body: late }])
    late.state = 'changed'
    await official.forceFlush()
    expect(theirs.getFinishedLogRecords()[0]!.body).toEqual({ state: 'changed' })
  })

  // Requirements: D5
  test('bodies of types that OTLP does not have are converted to OTLP values', async () => {
    const circular: Record<string, unknown> = { name: 'loop' }
    circular.self = circular
    const records = await through(
      [
        new Date(0),
        new Map([['a', new Set([1])]]),
        12n,
        2n ** 60n + 1n,
        new URL('https://user:secret@example.com/'),
        circular,
        Symbol('s'),
        { toJSON: () => 'json' },
        Object.defineProperty({}, 'x', { enumerable: true, get: () => fail() }),
        null,
        NaN,
      ].map((body) => ({ body })),
    )
    expect(records.map(({ body }) => body)).toEqual([
      '1970-01-01T00:00:00.000Z',
      { a: [1] },
      12,
      '1152921504606846977',
      'https://user:[REDACTED]@example.com/',
      { name: 'loop', self: '[Circular]' },
      'Symbol(s)',
      'json',
      { x: '[Threw: no]' },
      null,
      NaN,
    ])
  })

  // Requirements: LIM4, D20
  test('an attribute that is nested too deeply ends in an empty value, and such a body in a marker', async () => {
    // The SDK itself exhausts the stack for attributes with many levels.
    const [record] = await through([{ body: nested(20_000), attributes: { deep: nested(200) } }])
    expect(endOf((record!.attributes as { deep?: unknown }).deep)).toEqual([64, null])
    expect(endOf(record!.body)).toEqual([512, '[Object: 1 keys]'])
  })

  test('a record has the attributes that the SDK keeps, and the number that the SDK dropped', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]))
    const exporter = new sdk.InMemoryLogRecordExporter()
    const processor = processorOf({ exporter })
    emitAll([processor], [{ attributes }], 200)
    await processor.forceFlush()
    const [record] = exporter.getFinishedLogRecords()
    expect(Object.keys(record!.attributes)).toHaveLength(200)
    expect(record!.droppedAttributesCount).toBe(100)
  })

  test('redaction rules and serializers apply to attributes and to the body', async () => {
    const secret = { user: { email: 'a@example.com', password: 'p' }, headers: { authorization: 'Bearer x' } }
    const redact = { paths: ['user.email'], keys: ['password'] }
    const serializers = { order: ({ id }: { id: number }) => `order ${id}` }
    const [record] = await through([{ body: secret, attributes: { ...secret, order: { id: 7 } } }], {
      redact,
      serializers,
    })
    const redacted = {
      user: { email: '[REDACTED]', password: '[REDACTED]' },
      headers: { authorization: '[REDACTED]' },
    }
    expect(record).toMatchObject({ body: redacted, attributes: { ...redacted, order: 'order 7' } })
  })

  // Requirements: SEV4
  test('a line always has a level, which is the short name of the severity number without a severity text', () => {
    const records = linesOf([
      { severityNumber: 9 },
      { severityNumber: 10 },
      { severityNumber: 17, severityText: 'ERR' },
      { severityNumber: 9, severityText: 'ERR' },
      {},
      { severityNumber: 99 },
    ])
    expect(records.map(({ level, severity_number: number }) => [level, number])).toEqual([
      ['info', undefined],
      ['info2', 10],
      ['ERR', 17],
      ['ERR', 9],
      ['unspecified', 0],
      ['unspecified', 0],
    ])
  })

  test('an invalid span context that another processor sets is omitted', async () => {
    const exporter = new sdk.InMemoryLogRecordExporter()
    const processor = processorOf({ exporter })
    const spoiling = {
      onEmit: (record: { spanContext: object }) => (record.spanContext = { traceId: 'abc', spanId, traceFlags: 1 }),
      forceFlush: async () => {},
      shutdown: async () => {},
    }
    emitAll([spoiling, processor], [{ body: 1 }])
    await processor.forceFlush()
    expect(exporter.getFinishedLogRecords()).toMatchObject([{ body: 1, spanContext: undefined }])
  })

  test('OpenTelemetry values arrive as they do from the official processor', async () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.uint8Array(),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    const records = fc.array(
      fc.record({
        timestamp: fc.tuple(fc.integer({ min: 1, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 })),
        severityNumber: fc.integer({ min: 1, max: 24 }),
        body: value,
        attributes: fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 5, noNullPrototype: true }),
      }),
      { minLength: 1, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(records, async (emitted) => {
        const theirs = new sdk.InMemoryLogRecordExporter()
        const own = new sdk.InMemoryLogRecordExporter()
        const processor = processorOf({ exporter: own })
        const official = new sdk.BatchLogRecordProcessor({ exporter: theirs })
        emitAll([processor, official], emitted)
        await Promise.all([processor.forceFlush(), official.forceFlush()])
        expect(own.getFinishedLogRecords().map(plain)).toEqual(theirs.getFinishedLogRecords().map(plain))
      }),
      { numRuns: 50 },
    )
  })
})

/** Returns the fields that both processors must export equally. */
function plain(record: ReadableLogRecord): object {
  const { hrTime, severityNumber, body, attributes, instrumentationScope, resource } = record
  return { hrTime, severityNumber, body: zero(body), attributes: zero(attributes), instrumentationScope, resource }
}

/** OTLP has no negative zero. */
function zero(value: unknown): unknown {
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map(zero)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, zero(item)]))
}

function fail(): never {
  throw new Error('no')
}
