import { describe, expect, test } from '@jest/globals'
import {
  detectResources,
  emptyResource,
  hostDetector,
  processDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Encoding } from '../../../src/encode/encoding.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import { createResource, type ResourceSettings } from '../../../src/otel/provider/provider-resource.ts'
import type { EncodedBatch } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { ScriptedExporter, AcceptingExporter } from '../../support/pipeline/exporters.ts'
import { thrower } from '../../support/values/hostile.ts'
import { emitting } from './emitting.ts'

const never = new Promise<never>(() => {})
const later = <T>(value: T, millis = 5) => new Promise<T>((resolve) => setTimeout(resolve, millis, value))

/** An encoding that, like OTLP, has the scope and the resource in the request and not in each record. */
const framed: Encoding = { ...jsonLines(), key: 'framed' }

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Returns a detector with an attribute that is pending until `found` is called. */
function pendingDetector() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { detect: () => ({ attributes: { now: 1, later: promise } }), found: () => resolve('there') }
}

/** Creates a provider that stores the resource attributes of each export, and its diagnostics. */
function exporting(options: LoggerProviderOptions, schedule: AcceptingExporter['schedule'] = 'turn') {
  const exporter = new AcceptingExporter({ encoding: framed, schedule })
  const seen: Record<string, unknown>[] = []
  exporter.onExport = (batch: EncodedBatch) => {
    for (const { resource } of batch.sources()) seen.push(Object.fromEntries(resource.attributes))
  }
  const diagnostics: Diagnostic[] = []
  const provider = createLoggerProvider({
    exporter,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  })
  return { provider, exporter, seen, diagnostics }
}

async function resourceOf(settings: Partial<ResourceSettings>) {
  const diagnostics: Diagnostic[] = []
  const reportDiagnostic = (diagnostic: Diagnostic) => diagnostics.push(diagnostic)
  const { resource, resourceReadiness } = createResource(
    { resourceTimeoutMillis: 1_000, ...settings },
    reportDiagnostic,
    () => {},
  )
  await resourceReadiness.wait()
  return { attributes: Object.fromEntries(resource.attributes), resource, diagnostics }
}

// Requirements: RES1
describe('resource attributes', () => {
  test('resource attributes in code override detectors, and later detectors override earlier ones', async () => {
    const detectors = [
      { detect: () => ({ attributes: { a: 1, b: 1, c: 1 } }) },
      { detect: () => ({ attributes: { b: 2, c: 2 } }) },
    ]
    expect(await resourceOf({ resource: { c: 3 }, detectors })).toMatchObject({ attributes: { a: 1, b: 2, c: 3 } })
  })

  // Requirements: RES2
  test('detectors cannot override telemetry.sdk.name', async () => {
    const detectors = [
      { detect: () => ({ attributes: { 'telemetry.sdk.name': 'opentelemetry', 'service.name': 'x' } }) },
    ]
    const { attributes, resource } = await resourceOf({ detectors })
    expect(attributes).toMatchObject({ 'telemetry.sdk.name': 'sluice', 'telemetry.sdk.language': 'nodejs' })
    expect(resource.serviceName).toBe('x')
  })

  test('the resource option accepts a resource of @opentelemetry/resources', async () => {
    const resource = resourceFromAttributes({ 'service.name': 'shop', list: ['a', 'b'] }, { schemaUrl: 'https://s/1' })
    const found = await resourceOf({ resource })
    expect(found.attributes).toMatchObject({ 'service.name': 'shop', list: ['a', 'b'] })
    expect(found.resource).toMatchObject({ serviceName: 'shop', schemaUrl: 'https://s/1' })
  })

  test('a provider accepts detectors of @opentelemetry/resources and the result of detectResources', async () => {
    const { attributes } = await resourceOf({ detectors: [processDetector, hostDetector] })
    expect(attributes).toMatchObject({ 'process.pid': process.pid, 'host.name': expect.any(String) })
    const detected = await resourceOf({ resource: detectResources({ detectors: [processDetector, hostDetector] }) })
    expect(detected.attributes).toMatchObject({ 'process.pid': process.pid })
    expect((await resourceOf({ resource: emptyResource() })).attributes).toMatchObject({
      'service.name': 'unknown_service:node',
    })
  })

  test.each([
    [['u', undefined, 'u'], 'u'],
    [['u', 'v'], undefined],
    [[], undefined],
  ])('detectors with the schema URLs %p give the resource the schema URL %p', async (urls, expected) => {
    const detectors = urls.map((schemaUrl) => ({ detect: () => ({ attributes: {}, schemaUrl }) }))
    expect((await resourceOf({ detectors })).resource.schemaUrl).toBe(expected)
  })

  test('a detector can set an attribute named __proto__', async () => {
    const attributes = JSON.parse('{"__proto__":"x"}') as object
    const { resource } = await resourceOf({ detectors: [{ detect: () => ({ attributes }) }] })
    expect(resource.attributes.get('__proto__')).toBe('x')
  })

  // Requirements: ERR1
  test.each<[string, () => unknown]>([
    ['throws', thrower],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['has an attribute that rejects', () => ({ attributes: { a: Promise.reject(new Error('no')) } })],
    ['resolves with an attribute that rejects', async () => ({ attributes: { a: Promise.reject(new Error('no')) } })],
    ['has a getter that throws', () => Object.defineProperty({}, 'attributes', { get: thrower })],
    [
      'has a waitForAsyncAttributes that rejects',
      () => ({
        attributes: {},
        asyncAttributesPending: true,
        waitForAsyncAttributes: () => Promise.reject(new Error('no')),
      }),
    ],
  ])('a detector that %s is reported, and attributes of other detectors are kept', async (_, detect) => {
    const { attributes, diagnostics } = await resourceOf({
      detectors: [{ detect }, { detect: () => ({ attributes: { b: 2 } }) }],
    })
    expect(attributes).toMatchObject({ b: 2 })
    expect(attributes).not.toHaveProperty('a')
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_DETECTOR_FAILED'])
  })

  test.each([[undefined], [null], [5], [{}], [{ attributes: null }]])(
    'a detector that returns %p is not reported',
    async (found) => {
      expect((await resourceOf({ detectors: [{ detect: () => found }] })).diagnostics).toEqual([])
    },
  )
})

describe('pending resource attributes', () => {
  const pending = { detect: () => ({ attributes: { now: 1, later: later('there') } }) }

  test('the first export waits for pending resource attributes', async () => {
    const detector = pendingDetector()
    const { provider, exporter, seen } = exporting({ detectors: [detector] })
    const logger = provider.getLogger('a')
    logger.emit({ body: 'early' })
    await turn()
    expect(exporter.accepted).toHaveLength(0)
    detector.found()
    const { ok } = await provider.forceFlush()
    logger.emit({ body: 'late' })
    await provider.forceFlush()
    expect(ok).toBe(true)
    expect(seen.map((attributes) => [attributes.now, attributes.later])).toEqual([
      [1, 'there'],
      [1, 'there'],
    ])
  })

  test.each(['http/json', 'http/protobuf'] as const)(
    'the first %s request contains pending resource attributes',
    async (protocol) => {
      const encoding = otlpEncoding(protocol)
      const exporter = new AcceptingExporter({ encoding })
      const requests: string[] = []
      exporter.onExport = (batch) => {
        requests.push(Buffer.concat(encoding.request(batch.bytes(), batch.sources())).toString('latin1'))
      }
      const provider = createLoggerProvider({ exporter, detectors: [pending] })
      provider.getLogger('a').emit({ body: 'x' })
      await provider.forceFlush()
      expect(requests).toEqual([expect.stringContaining('there')])
    },
  )

  test('a resource of @opentelemetry/resources and a promise of a detector can have pending attributes', async () => {
    const resource = resourceFromAttributes({ a: later('one') })
    const detectors = [{ detect: () => later({ attributes: { b: later('two') } }) }]
    const { provider, seen, diagnostics } = exporting({ resource, detectors })
    provider.getLogger('a').emit({})
    await provider.forceFlush()
    expect(seen[0]).toMatchObject({ a: 'one', b: 'two' })
    expect(diagnostics).toEqual([])
  })

  // Requirements: D14
  test('records are exported after resourceTimeoutMillis when a resource attribute never settles', async () => {
    const { provider, seen, diagnostics } = exporting({
      detectors: [{ detect: () => ({ attributes: { now: 1, never } }) }],
      resourceTimeoutMillis: 20,
    })
    provider.getLogger('a').emit({})
    expect(await provider.forceFlush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(seen).toEqual([expect.objectContaining({ now: 1 })])
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_RESOURCE_PENDING'])
  })

  test('resource attributes that resolve after the timeout are added to later records', async () => {
    const { provider, seen } = exporting({
      detectors: [{ detect: () => ({ attributes: { late: later(1, 30) } }) }],
      resourceTimeoutMillis: 1,
    })
    provider.getLogger('a').emit({})
    await provider.forceFlush()
    await later(undefined, 50)
    provider.getLogger('a').emit({})
    await provider.forceFlush()
    expect(seen.map((attributes) => 'late' in attributes)).toEqual([false, true])
  })

  // Requirements: SDK4, D14
  test('shutdown exports all records after half of its timeout when resource attributes are pending', async () => {
    const exporter = new ScriptedExporter({ encoding: framed })
    const detectors = [{ detect: () => ({ attributes: { never } }) }]
    const provider = createLoggerProvider({ exporter, detectors, onDiagnostic: () => {} })
    provider.getLogger('a').emit({})
    const start = performance.now()
    expect(await provider.shutdown({ timeoutMillis: 100 })).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(performance.now() - start).toBeLessThan(1_000)
    expect([exporter.accepted.length, exporter.shutdowns]).toEqual([1, 1])
  })

  test('flushSync does not wait for pending resource attributes, and no record is written twice', async () => {
    const detector = pendingDetector()
    const { provider, exporter } = exporting({ detectors: [detector] })
    provider.getLogger('a').emit({ body: 'x' })
    await turn()
    expect([exporter.accepted.length, provider.flushSync()]).toEqual([0, { ok: true, pending: 0, dropped: 0 }])
    detector.found()
    await provider.forceFlush()
    await turn()
    expect([exporter.accepted.length, provider.stats().written]).toEqual([1, 1])
  })

  test('lines are written without pending resource attributes, and later lines have all of them', async () => {
    const detector = pendingDetector()
    const { provider, sources } = emitting({ detectors: [detector] }, true)
    const logger = provider.getLogger('a')
    logger.emit({})
    detector.found()
    await turn()
    logger.emit({})
    const known = sources().map(({ resource }) => [resource.has('now'), resource.has('later')])
    expect(known).toEqual([
      [true, false],
      [true, true],
    ])
  })

  // Fault rows: 46
  test('pending resource attributes delay only exporters that need them, and statistics are exact', async () => {
    const detector = pendingDetector()
    const held = new AcceptingExporter({ name: 'held', encoding: framed })
    const lines = new AcceptingExporter({ name: 'lines' })
    const provider = createLoggerProvider({ exporter: [held, lines], detectors: [detector] })
    provider.getLogger('a').emit({})
    await turn()
    expect([held.accepted.length, lines.accepted.length]).toEqual([0, 1])
    detector.found()
    await provider.shutdown()
    expect(provider.stats().exporters.map(({ written, queued }) => [written, queued])).toEqual([
      [1, 0],
      [1, 0],
    ])
  })

  test('an exporter that waits for pending resource attributes cannot be used by a second provider', () => {
    const exporter = new AcceptingExporter({ encoding: framed })
    createLoggerProvider({ exporter, detectors: [pending] })
    expect(() => createLoggerProvider({ exporter })).toThrow(/SLUICE_EXPORTER_IN_USE/)
  })
})
