import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as today from '@opentelemetry/resources'
import type { Encoding } from '../../src/encode/encoding.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { otlpExporter } from '../../src/entries/exporters.ts'
import { spool } from '../../src/exporters/spool/spool.ts'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { watchAttributes } from '../../src/otel/provider/resource-attributes.ts'
import type { OtelResource, ReadableLogRecord } from '../../src/otel/api/types.ts'
import type { EncodedBatch, Exporter } from '../../src/pipeline/exporter.ts'
import { importOf, runModule } from '../support/processes/child.ts'
import { fakeCollector } from '../support/otlp/fake-collector.ts'
import { decodeRequest } from '../support/otlp/messages.ts'
import { resources as legacy } from '../legacy-otel/index.ts'

const never = new Promise<never>(() => {})
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('known attributes of a pending resource', () => {
  const key = fc.constantFrom('service.name', 'a', 'b')
  const plain = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean(), fc.constant(['x', 'y']))
  const value = fc.oneof(
    fc.record({ is: fc.constant('plain' as const), value: fc.oneof(plain, fc.constantFrom(undefined, null)) }),
    fc.record({ is: fc.constant('late' as const), value: plain }),
    fc.record({ is: fc.constantFrom('rejected' as const, 'never' as const), value: plain }),
  )
  type Value = typeof value extends fc.Arbitrary<infer V> ? V : never
  const layers = fc.array(fc.array(fc.tuple(key, value), { maxLength: 4 }), { minLength: 1, maxLength: 4 })

  /** The API of both SDK versions, whose types are incompatible. */
  interface Sdk {
    resourceFromAttributes(attributes: object): SdkResource
  }
  type SdkResource = OtelResource & { merge(other: SdkResource): SdkResource }
  const merged = (sdk: Sdk, given: readonly object[]): SdkResource =>
    given.map((attributes) => sdk.resourceFromAttributes(attributes)).reduce((all, one) => all.merge(one))

  const objectOf = (layer: readonly (readonly [string, Value])[], make: (one: Value) => unknown): object => {
    const object = {}
    for (const [name, one] of layer)
      Object.defineProperty(object, name, { value: make(one), enumerable: true, configurable: true })
    return object
  }

  // Requirements: D14
  test.each([
    ['resources 3.x', today as unknown as Sdk],
    ['resources 2.x', legacy as unknown as Sdk],
  ])('the known attributes of any merge of %s are those of the SDK at any time', async (_, sdk) => {
    await fc.assert(
      fc.asyncProperty(layers, async (given) => {
        const waiting = new Map<Value, PromiseWithResolvers<unknown>>()
        const live = (one: Value): unknown => {
          if (one.is === 'plain') return one.value
          const { promise, ...rest } = Promise.withResolvers<unknown>()
          waiting.set(one, { promise, ...rest })
          // A layer with a duplicate key drops one of its promises, whose rejection must still be handled.
          promise.catch(() => {})
          return promise
        }
        const settled = new Set<Value>()
        const soFar = (one: Value): unknown => {
          if (one.is === 'plain') return one.value
          if (!settled.has(one)) return never
          return one.is === 'late' ? one.value : undefined
        }
        const resource = merged(
          sdk,
          given.map((layer) => objectOf(layer, live)),
        )
        const watched = watchAttributes(resource, () => {})
        const expectSame = () => {
          // An SDK resource with the attributes that have settled so far; its other attributes never settle.
          const { attributes } = merged(
            sdk,
            given.map((layer) => objectOf(layer, soFar)),
          )
          expect(watched.current()).toEqual(new Map(Object.entries(attributes)))
        }
        expectSame()
        for (const [one, { resolve, reject }] of waiting) {
          if (one.is === 'never') continue
          if (one.is === 'late') resolve(one.value)
          else reject(new Error('no'))
          settled.add(one)
          await turn()
          expectSame()
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** Stores the resource attributes in each batch that is exported, synchronously or not. */
class KnownExporter implements Exporter {
  readonly name = 'known'
  readonly encoding: Encoding
  readonly schedule = 'turn'
  readonly delivery: Exporter['delivery']
  readonly seen: Record<string, unknown>[] = []

  constructor(encoding: Encoding, delivery: Exporter['delivery'] = {}) {
    this.encoding = encoding
    this.delivery = delivery
  }

  export(batch: EncodedBatch): { status: 'accepted' } {
    const { request } = this.encoding as Partial<ReturnType<typeof otlpEncoding>>
    if (request === undefined) {
      for (const { text } of batch.records()) this.seen.push(JSON.parse(text))
      return { status: 'accepted' }
    }
    const bytes = Buffer.concat(request(batch.bytes(), batch.sources()))
    const whole = (this.encoding.binary === true ? decodeRequest(bytes) : JSON.parse(String(bytes))) as never
    this.seen.push(resourceIn(whole))
    return { status: 'accepted' }
  }

  exportSync(batch: EncodedBatch): { status: 'accepted' } {
    return this.export(batch)
  }
}

function resourceIn(request: {
  resourceLogs: { resource: { attributes: { key: string; value: object }[] } }[]
}): Record<string, unknown> {
  const { attributes } = request.resourceLogs[0]!.resource
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** Returns an SDK resource with a known name, an attribute `soon` for `settle()`, and one that never settles. */
function pendingResource() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = today.resourceFromAttributes({ 'service.name': 'unknown_service:node', 'host.id': 'old' })
  const resource = first.merge(today.resourceFromAttributes({ 'service.name': 'shop', soon: promise, never }))
  return {
    resource: resource as OtelResource,
    async settle() {
      resolve('there')
      await turn()
    },
  }
}

interface Emitter {
  emit(): void
  flush(): Promise<unknown>
  /** Exports synchronously. */
  drain(): void
  shutdown(): Promise<unknown>
}

const emitters: [string, (resource: OtelResource, exporter: Exporter) => Emitter][] = [
  [
    'the provider',
    (resource, exporter) => {
      const provider = createLoggerProvider({ resource, exporter, resourceTimeoutMillis: 50, onDiagnostic: () => {} })
      return {
        emit: () => provider.getLogger('a').emit({ body: 'x' }),
        flush: () => provider.forceFlush(),
        drain: () => void provider.flushSync(),
        shutdown: () => provider.shutdown(),
      }
    },
  ],
  [
    'the processor',
    (resource, exporter) => {
      const processor = new PipelineLogRecordProcessor({
        exporter,
        exportTimeoutMillis: 400,
        maxQueueSize: 3,
        onDiagnostic: () => {},
      })
      const record = {
        hrTime: [1, 0],
        hrTimeObserved: [1, 0],
        body: 'x',
        attributes: {},
        resource,
        instrumentationScope: { name: 'a' },
        droppedAttributesCount: 0,
      } satisfies ReadableLogRecord
      const emit = () => processor.onEmit(record)
      return {
        emit,
        flush: () => processor.forceFlush(),
        // A full queue is drained synchronously.
        drain: () => [1, 2, 3, 4].forEach(emit),
        shutdown: () => processor.shutdown(),
      }
    },
  ],
]

const known = { 'service.name': 'shop', 'host.id': 'old' }

describe.each(emitters)('resource attributes in records of %s', (_, make) => {
  describe.each(['http/json', 'http/protobuf'] as const)('requests in %s', (protocol) => {
    // Requirements: D14
    test('a request contains the attributes that are known when the wait for the resource times out', async () => {
      const { resource, settle } = pendingResource()
      const exporter = new KnownExporter(otlpEncoding(protocol))
      const emitter = make(resource, exporter)
      emitter.emit()
      await settle()
      await emitter.flush()
      expect(exporter.seen).toEqual([expect.objectContaining({ ...known, soon: 'there' })])
      expect(exporter.seen[0]).not.toHaveProperty('never')
      await emitter.shutdown()
    })

    test('a synchronous export contains the attributes that are known at its time', async () => {
      const { resource, settle } = pendingResource()
      const exporter = new KnownExporter(otlpEncoding(protocol))
      const emitter = make(resource, exporter)
      emitter.emit()
      await turn()
      emitter.drain()
      expect(exporter.seen.at(0)).toMatchObject(known)
      expect(exporter.seen.at(0)).not.toHaveProperty('soon')
      await settle()
      emitter.emit()
      emitter.drain()
      expect(exporter.seen.at(-1)).toMatchObject({ ...known, soon: 'there' })
      await emitter.shutdown()
    })

    test('a later request contains an attribute that settles after the wait for the resource timed out', async () => {
      const { resource, settle } = pendingResource()
      const exporter = new KnownExporter(otlpEncoding(protocol))
      const emitter = make(resource, exporter)
      emitter.emit()
      await emitter.flush()
      await settle()
      emitter.emit()
      await emitter.flush()
      expect(exporter.seen.map((attributes) => attributes['soon'])).toEqual([undefined, 'there'])
      await emitter.shutdown()
    })
  })

  test('a line contains the attributes that are known at the time of the call', async () => {
    for (const [encoding, nameOf] of [
      [jsonLines(), (line: any) => [line['service.name']]],
      [jsonLines('otel'), (line: any) => [line.resource['service.name'], line.resource.soon]],
      [otlpJsonLines(), (line: any) => [resourceIn(line)['service.name'], resourceIn(line)['soon']]],
    ] as const) {
      const { resource, settle } = pendingResource()
      const exporter = new KnownExporter(encoding)
      const emitter = make(resource, exporter)
      emitter.emit()
      await settle()
      emitter.emit()
      await emitter.flush()
      const [before, after] = exporter.seen.map(nameOf)
      expect([before![0], after![0]]).toEqual(['shop', 'shop'])
      expect(before![1]).toBeUndefined()
      expect(after![1]).toBe(after!.length > 1 ? 'there' : undefined)
      await emitter.shutdown()
    }
  })

  test('the files of a spool contain the attributes that are known at shutdown', async () => {
    const { resource, settle } = pendingResource()
    const directory = mkdtempSync(join(tmpdir(), 'sluice-pending-'))
    const exporter = spool(otlpExporter({ url: 'http://127.0.0.1:9/v1/logs', protocol: 'http/json' }), {
      directory,
      maxBytes: 2 ** 20,
    })
    const emitter = make(resource, exporter)
    emitter.emit()
    await settle()
    await emitter.shutdown().catch(() => {})
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    const text = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('')
    const line = JSON.parse(/\{"resourceLogs".*/.exec(text)![0]) as never
    expect(resourceIn(line)).toMatchObject({ ...known, soon: 'there' })
  })
})

test('an SDK exporter receives the known resource attributes, with and without redaction', async () => {
  for (const patterns of [[], ['email' as const]]) {
    const { resource, settle } = pendingResource()
    const seen: Record<string, unknown>[] = []
    const official = {
      export(records: readonly ReadableLogRecord[], done: (result: { code: number }) => void) {
        for (const record of records)
          seen.push(Object.fromEntries(watchAttributes(record.resource, () => {}).current()))
        done({ code: 0 })
      },
      shutdown: async () => {},
    }
    const provider = createLoggerProvider({
      resource,
      redact: { patterns },
      resourceTimeoutMillis: 20,
      onDiagnostic: () => {},
      exporter: fromLogRecordExporter(official),
    })
    provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    await settle()
    provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    expect(seen).toEqual([expect.objectContaining(known), expect.objectContaining({ ...known, soon: 'there' })])
    await provider.shutdown()
  }
})

test('a drop report in a line contains the resource attributes that are known when it is written', async () => {
  const { resource, settle } = pendingResource()
  const exporter = new KnownExporter(otlpJsonLines(), { maxQueueBytes: 1_500, onFull: 'dropNewest' })
  const provider = createLoggerProvider({ resource, exporter, onDiagnostic: () => {}, resourceTimeoutMillis: 1 })
  const lose = async () => {
    exporter.seen.length = 0
    provider.getLogger('a').emit({ body: 'x'.repeat(4_000) })
    await provider.forceFlush()
    return exporter.seen.map((line) => resourceIn(line as never)['soon'])
  }
  expect(await lose()).toEqual([undefined])
  await settle()
  expect(await lose()).toEqual(['there'])
  await provider.shutdown()
})

describe('process.exit() while attributes are pending', () => {
  test('process.exit() while attributes are pending sends the service name of NodeSDK', async () => {
    const sent = await sentBy(`
      const { NodeSDK } = await import('@opentelemetry/sdk-node')
      const { logs } = await import('@opentelemetry/api')
      const sdk = new NodeSDK({ serviceName: 'shop', logRecordProcessors: [new PipelineLogRecordProcessor({ exporter })] })
      sdk.start()
      logs.getLogger('a').emit({ body: 'x' })
      process.exit(0)`)
    expect(sent).toMatchObject({ 'service.name': 'shop' })
  })

  test('process.exit() while attributes are pending sends the known attributes of a provider', async () => {
    const sent = await sentBy(`
      const { resourceFromAttributes } = await import('@opentelemetry/resources')
      const resource = resourceFromAttributes({ 'service.name': 'shop', x: new Promise(() => {}) })
      createLoggerProvider({ exporter, resource }).getLogger('a').emit({ body: 'x' })
      process.exit(0)`)
    expect(sent).toMatchObject({ 'service.name': 'shop' })
  })
})

/** Returns the resource attributes in the request that a program sends. */
async function sentBy(text: string): Promise<Record<string, unknown>> {
  const collector = await fakeCollector()
  try {
    const head =
      importOf('{ otlpExporter }', 'src/entries/exporters.ts') +
      importOf('{ PipelineLogRecordProcessor }', 'src/otel/sdk/processor.ts') +
      importOf('{ createLoggerProvider }', 'src/otel/provider/provider.ts') +
      `const exporter = otlpExporter({ url: '${collector.url}', protocol: 'http/json' })\n`
    const { code, stderr } = await runModule(head + text, { cwd: process.cwd() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return resourceIn(JSON.parse(String(collector.received[0]!.body)))
  } finally {
    await collector.close()
  }
}
