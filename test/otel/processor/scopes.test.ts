import { expect, test } from '@jest/globals'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryExporter, type EncodedBatch, type Exporter, type ExportResult } from '../../../src/entries/exporters.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import type { OtelResource, OtelScope, ReadableLogRecord } from '../../../src/otel/api/types.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { resourceWith, StallingOtelExporter, turn } from './sdks.ts'
import { waitUntil } from '../../support/wait-until.ts'

function recordOf(resource: OtelResource, instrumentationScope: OtelScope, body: unknown = 'x'): ReadableLogRecord {
  return {
    hrTime: [1, 0],
    hrTimeObserved: [1, 0],
    body,
    resource,
    instrumentationScope,
    attributes: {},
    droppedAttributesCount: 0,
  }
}

/** Stores the scopes and resources of its batches. */
class SourcesExporter implements Exporter {
  readonly name = 'sources'
  readonly encoding = otlpEncoding('http/json')
  readonly schedule = 'turn'
  readonly delivery: Exporter['delivery']
  readonly sources: { scope: unknown; resource: Map<string, unknown>; count: number }[] = []
  /** The called methods, in order. */
  readonly calls: string[] = []
  readonly exportSync: Exporter['exportSync']

  constructor(isSync: boolean, delivery: Exporter['delivery'] = {}) {
    this.delivery = delivery
    this.exportSync = isSync ? (batch) => this.take('exportSync', batch) : undefined
  }

  export(batch: EncodedBatch): ExportResult {
    return this.take('export', batch)
  }

  private take(call: string, batch: EncodedBatch): ExportResult {
    this.calls.push(call)
    for (const { scope, resource, count } of batch.sources()) {
      this.sources.push({ scope: { ...scope }, resource: new Map(resource.attributes), count })
    }
    return { status: 'accepted' }
  }
}

test('scopes and resources are held weakly, so unused ones are garbage-collected', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const official = new StallingOtelExporter(true)
  const exporter = new EncodingLogRecordExporter({ exporter: memoryExporter({ maxRecords: 1 }) })
  const processors = [
    new PipelineLogRecordProcessor({ exporter: memoryExporter({ maxRecords: 1 }) }),
    new PipelineLogRecordProcessor({ exporter: official, maxQueueSize: 10_000 }),
  ]
  const seen: WeakRef<object>[] = []
  for (let index = 0; index < 2_000; index++) {
    const record = recordOf({ attributes: { index } }, { name: `scope ${index}`, attributes: { index } })
    for (const processor of processors) processor.onEmit(record)
    exporter.export([record], () => {})
    seen.push(new WeakRef(record.resource), new WeakRef(record.instrumentationScope))
  }
  for (const processor of processors) await processor.forceFlush()
  expect(official.bodies).toHaveLength(2_000)
  official.batches.length = 0
  // The last ones are kept for the next record, and the first ones for drop reports. A collection keeps what an optimized function
  // or a pending callback still references, so several are tried.
  await waitUntil(() => {
    collect()
    return seen.filter((one) => one.deref() !== undefined).length < 20
  })
  for (const processor of processors) await processor.shutdown()
  await exporter.shutdown()
})

test('all fields of a scope and of a resource arrive at the exporter', async () => {
  const exporter = new SourcesExporter(false)
  const processor = new PipelineLogRecordProcessor({ exporter })
  const resource = { attributes: { 'service.name': 'shop', ports: [80, 443] }, schemaUrl: 'https://example.com/r' }
  const scope = {
    name: 'checkout',
    version: '1.2.0',
    schemaUrl: 'https://example.com/s',
    attributes: { tier: 'web' },
    droppedAttributesCount: 3,
  }
  processor.onEmit(recordOf(resource, scope))
  processor.onEmit(recordOf(resource, scope))
  processor.onEmit(recordOf(resource, { name: '' }))
  await processor.shutdown()
  expect(exporter.sources).toEqual([
    {
      scope: {
        name: 'checkout',
        version: '1.2.0',
        schemaUrl: 'https://example.com/s',
        attributes: new Map([['tier', 'web']]),
        droppedAttributes: 3,
      },
      resource: new Map<string, unknown>([
        ['service.name', 'shop'],
        ['ports', [80, 443]],
      ]),
      count: 2,
    },
    expect.objectContaining({ scope: {}, count: 1 }),
  ])
})

// Requirements: ERR4
test.each([
  ['undefined', undefined],
  ['null', null],
  ['a number', 5],
  ['attributes that throw', Object.defineProperty({}, 'attributes', { get: thrower })],
  ['an object without attributes', {}],
])('a record whose resource or scope is %s is exported', (_, given) => {
  const memory = memoryExporter()
  const processor = new PipelineLogRecordProcessor({ exporter: memory })
  processor.onEmit(recordOf(given as OtelResource, { name: 'a' }))
  processor.onEmit(recordOf({ attributes: {} }, (given ?? undefined) as OtelScope))
  expect(memory.records).toHaveLength(2)
})

test('a line contains the service name of the resource, but not the fallback name of the SDK', () => {
  const memory = memoryExporter()
  const processor = new PipelineLogRecordProcessor({ exporter: memory })
  for (const name of ['shop', 'unknown_service:node', '', undefined]) {
    processor.onEmit(recordOf({ attributes: { 'service.name': name } }, { name: 'a' }))
  }
  expect(memory.records.map((line) => line['service.name'])).toEqual(['shop', undefined, undefined, undefined])
})

// Requirements: D14
test.each([false, true])(
  'a batch waits for its pending resource, and later records have the complete resource (with exportSync: %p)',
  async (isSync) => {
    const host = Promise.withResolvers<string>()
    const resource = resourceWith({ 'service.name': 'shop', 'host.id': host.promise })
    const exporter = new SourcesExporter(isSync)
    const processor = new PipelineLogRecordProcessor({ exporter })
    processor.onEmit(recordOf(resource, { name: 'a' }))
    const flushing = processor.forceFlush()
    await turn()
    await turn()
    expect(exporter.sources).toEqual([])
    host.resolve('h-1')
    await flushing
    processor.onEmit(recordOf(resource, { name: 'a' }))
    await processor.forceFlush()
    const whole = new Map([
      ['service.name', 'shop'],
      ['host.id', 'h-1'],
    ])
    expect(exporter.sources.map((source) => source.resource)).toEqual([whole, whole])
    await processor.shutdown()
  },
)

// Requirements: D14
test('a synchronous drain does not wait for a pending resource, and its batch is not exported again', async () => {
  const host = Promise.withResolvers<string>()
  const exporter = new SourcesExporter(true, { maxQueueSize: 2, maxExportBatchSize: 1 })
  const processor = new PipelineLogRecordProcessor({ exporter })
  const resource = resourceWith({ 'host.id': host.promise })
  // The third one finds the queue full, which drains it.
  for (const body of [1, 2, 3]) processor.onEmit(recordOf(resource, { name: 'a' }, body))
  host.resolve('h-1')
  await processor.forceFlush()
  expect(exporter.calls.toSorted()).toEqual(['export', 'exportSync', 'exportSync'])
  expect(processor.stats()).toMatchObject({ emitted: 3, written: 3, dropped: { total: 0 } })
  await processor.shutdown()
})

// Requirements: D14
test('a resource whose asynchronous attributes fail is exported with its other attributes', async () => {
  const resource: OtelResource = {
    attributes: { 'service.name': 'shop' },
    asyncAttributesPending: true,
    waitForAsyncAttributes: () => Promise.reject(new Error('no')),
  }
  const exporter = new SourcesExporter(false)
  const processor = new PipelineLogRecordProcessor({ exporter })
  processor.onEmit(recordOf(resource, { name: 'a' }))
  await processor.shutdown()
  expect(exporter.sources).toMatchObject([{ resource: new Map([['service.name', 'shop']]), count: 1 }])
})

// Requirements: D14
test('a shutdown waits 5 s for an attribute that never settles, then exports the other attributes', async () => {
  const program =
    importOf('{ timeOf }', 'test/support/pipeline/virtual-time.ts') +
    importOf('{ PipelineLogRecordProcessor }', 'src/otel/sdk/processor.ts') +
    importOf('{ otlpEncoding }', 'src/encode/otlp/otlp-request.ts') +
    `import { resourceFromAttributes } from '@opentelemetry/resources'
     import { LoggerProvider } from '@opentelemetry/sdk-logs'
     const seen = []
     const exporter = {
       name: 'sources',
       encoding: otlpEncoding('http/json'),
       schedule: 'turn',
       delivery: {},
       export(batch) {
         for (const { resource, count } of batch.sources()) seen.push([Object.fromEntries(resource.attributes), count])
         return { status: 'accepted' }
       },
     }
     const processor = new PipelineLogRecordProcessor({ exporter })
     const never = new Promise(() => {})
     const resource = resourceFromAttributes({ 'service.name': 'shop', 'host.id': never })
     const logger = new LoggerProvider({ processors: [processor], resource }).getLogger('a')
     for (const body of ['one', 'two']) logger.emit({ body })
     const closed = processor.shutdown()
     const millis = await timeOf(closed)
     await closed
     const { written, queued } = processor.stats()
     console.log(JSON.stringify({ millis, seen, written, queued }))
     process.exit()`
  const { stdout, stderr } = await runModule(program)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ millis: 5_000, seen: [[{ 'service.name': 'shop' }, 2]], written: 2, queued: 0 })
})

// Requirements: D14
test('lines contain the service name that is known, without waiting for a pending resource', async () => {
  const memory = memoryExporter()
  const scope = { name: 'a' }
  const processor = new PipelineLogRecordProcessor({ exporter: memory })
  const [name, host] = [Promise.withResolvers<string>(), new Promise(() => {})]
  const [late, never] = [resourceWith({ 'service.name': name.promise }), { 'service.name': 'shop', 'host.id': host }]
  processor.onEmit(recordOf(resourceWith(never), scope))
  processor.onEmit(recordOf(late, scope))
  name.resolve('late')
  await turn()
  processor.onEmit(recordOf(late, scope))
  expect(memory.records.map((line) => line['service.name'])).toEqual(['shop', undefined, 'late'])
})

function thrower(): never {
  throw new Error('no')
}
