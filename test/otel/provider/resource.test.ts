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
import { AnsweringExporter, TakingExporter } from '../../support/pipeline/exporters.ts'
import { thrower } from '../../support/values/hostile.ts'
import { emitting } from './emitting.ts'

const never = new Promise<never>(() => {})
const later = <T>(value: T, millis = 5) => new Promise<T>((resolve) => setTimeout(resolve, millis, value))

/** An encoding whose records do not say who speaks, as OTLP's frames have it. */
const framed: Encoding = { ...jsonLines(), key: 'framed' }

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A detector with an attribute that is there when the test says so. */
function waiting() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { detect: () => ({ attributes: { now: 1, later: promise } }), found: () => resolve('there') }
}

/** The attributes of the resource at each export, and what was told. */
function exporting(options: LoggerProviderOptions, schedule: TakingExporter['schedule'] = 'turn') {
  const exporter = new TakingExporter({ encoding: framed, schedule })
  const seen: Record<string, unknown>[] = []
  exporter.onExport = (batch: EncodedBatch) => {
    for (const { resource } of batch.sources()) seen.push(Object.fromEntries(resource.attributes))
  }
  const problems: Diagnostic[] = []
  const provider = createLoggerProvider({ exporter, onDiagnostic: (problem) => problems.push(problem), ...options })
  return { provider, exporter, seen, problems }
}

async function resourceOf(settings: Partial<ResourceSettings>) {
  const problems: Diagnostic[] = []
  const tell = (problem: Diagnostic) => problems.push(problem)
  const { resource, settlement } = createResource({ resourceTimeoutMillis: 1_000, ...settings }, tell, () => {})
  await settlement.wait()
  return { attributes: Object.fromEntries(resource.attributes), resource, problems }
}

describe('what it is made of (RES1)', () => {
  test('code is over the detectors, and a later detector over an earlier one', async () => {
    const detectors = [
      { detect: () => ({ attributes: { a: 1, b: 1, c: 1 } }) },
      { detect: () => ({ attributes: { b: 2, c: 2 } }) },
    ]
    expect(await resourceOf({ resource: { c: 3 }, detectors })).toMatchObject({ attributes: { a: 1, b: 2, c: 3 } })
  })

  test('detectors cannot take the name of this SDK away (RES2)', async () => {
    const detectors = [
      { detect: () => ({ attributes: { 'telemetry.sdk.name': 'opentelemetry', 'service.name': 'x' } }) },
    ]
    const { attributes, resource } = await resourceOf({ detectors })
    expect(attributes).toMatchObject({ 'telemetry.sdk.name': 'sluice', 'telemetry.sdk.language': 'nodejs' })
    expect(resource.serviceName).toBe('x')
  })

  test('a resource of @opentelemetry/resources is as good as attributes', async () => {
    const resource = resourceFromAttributes({ 'service.name': 'shop', list: ['a', 'b'] }, { schemaUrl: 'https://s/1' })
    const found = await resourceOf({ resource })
    expect(found.attributes).toMatchObject({ 'service.name': 'shop', list: ['a', 'b'] })
    expect(found.resource).toMatchObject({ serviceName: 'shop', schemaUrl: 'https://s/1' })
  })

  test('its detectors are as well, and what detectResources makes of them', async () => {
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
  ])('schema URLs %p make %p: those that do not agree are none', async (urls, expected) => {
    const detectors = urls.map((schemaUrl) => ({ detect: () => ({ attributes: {}, schemaUrl }) }))
    expect((await resourceOf({ detectors })).resource.schemaUrl).toBe(expected)
  })

  test('__proto__ is an attribute like any other', async () => {
    const attributes = JSON.parse('{"__proto__":"x"}') as object
    const { resource } = await resourceOf({ detectors: [{ detect: () => ({ attributes }) }] })
    expect(resource.attributes.get('__proto__')).toBe('x')
  })

  test.each<[string, () => unknown]>([
    ['throws', thrower],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['has an attribute that rejects', () => ({ attributes: { a: Promise.reject(new Error('no')) } })],
    [
      'answers later with an attribute that rejects',
      async () => ({ attributes: { a: Promise.reject(new Error('no')) } }),
    ],
    ['has a getter that throws', () => Object.defineProperty({}, 'attributes', { get: thrower })],
    [
      'waits for what rejects',
      () => ({
        attributes: {},
        asyncAttributesPending: true,
        waitForAsyncAttributes: () => Promise.reject(new Error('no')),
      }),
    ],
  ])('a detector that %s costs its attributes alone, and is told (ERR1)', async (_, detect) => {
    const { attributes, problems } = await resourceOf({
      detectors: [{ detect }, { detect: () => ({ attributes: { b: 2 } }) }],
    })
    expect(attributes).toMatchObject({ b: 2 })
    expect(attributes).not.toHaveProperty('a')
    expect(problems.map(({ code }) => code)).toEqual(['SLUICE_DETECTOR_FAILED'])
  })

  test.each([[undefined], [null], [5], [{}], [{ attributes: null }]])(
    'a detector that answers %p finds nothing',
    async (found) => {
      expect((await resourceOf({ detectors: [{ detect: () => found }] })).problems).toEqual([])
    },
  )
})

describe('attributes that come later', () => {
  const pending = { detect: () => ({ attributes: { now: 1, later: later('there') } }) }

  test('are waited for by the first export, and then the same object holds them', async () => {
    const detector = waiting()
    const { provider, exporter, seen } = exporting({ detectors: [detector] })
    const logger = provider.getLogger('a')
    logger.emit({ body: 'early' })
    await turn()
    expect(exporter.taken).toHaveLength(0)
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
    'are in the first request that %s makes of them',
    async (protocol) => {
      const encoding = otlpEncoding(protocol)
      const exporter = new TakingExporter({ encoding })
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

  test('may be those of a resource of @opentelemetry/resources, or all that a detector answers', async () => {
    const resource = resourceFromAttributes({ a: later('one') })
    const detectors = [{ detect: () => later({ attributes: { b: later('two') } }) }]
    const { provider, seen, problems } = exporting({ resource, detectors })
    provider.getLogger('a').emit({})
    await provider.forceFlush()
    expect(seen[0]).toMatchObject({ a: 'one', b: 'two' })
    expect(problems).toEqual([])
  })

  test('that never come are waited for no longer than is allowed, and then all is exported (D14)', async () => {
    const { provider, seen, problems } = exporting({
      detectors: [{ detect: () => ({ attributes: { now: 1, never } }) }],
      resourceTimeoutMillis: 20,
    })
    provider.getLogger('a').emit({})
    expect(await provider.forceFlush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(seen).toEqual([expect.objectContaining({ now: 1 })])
    expect(problems.map(({ code }) => code)).toEqual(['SLUICE_RESOURCE_PENDING'])
  })

  test('that come after the time are on the records that come after them', async () => {
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

  test('keep a shutdown no longer than half of its time, and nothing is lost (SDK4, D14)', async () => {
    const exporter = new AnsweringExporter({ encoding: framed })
    const detectors = [{ detect: () => ({ attributes: { never } }) }]
    const provider = createLoggerProvider({ exporter, detectors, onDiagnostic: () => {} })
    provider.getLogger('a').emit({})
    const start = performance.now()
    expect(await provider.shutdown({ timeoutMillis: 100 })).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(performance.now() - start).toBeLessThan(1_000)
    expect([exporter.taken.length, exporter.shutdowns]).toEqual([1, 1])
  })

  test('do not keep back what is written without the event loop, and nothing is written twice', async () => {
    const detector = waiting()
    const { provider, exporter } = exporting({ detectors: [detector] })
    provider.getLogger('a').emit({ body: 'x' })
    await turn()
    expect([exporter.taken.length, provider.flushSync()]).toEqual([0, { ok: true, pending: 0, dropped: 0 }])
    detector.found()
    await provider.forceFlush()
    await turn()
    expect([exporter.taken.length, provider.stats().written]).toEqual([1, 1])
  })

  test('do not keep lines back, which say what is known; the next ones say all of it', async () => {
    const detector = waiting()
    const { provider, speakers } = emitting({ detectors: [detector] }, true)
    const logger = provider.getLogger('a')
    logger.emit({})
    detector.found()
    await turn()
    logger.emit({})
    const known = speakers().map(({ resource }) => [resource.has('now'), resource.has('later')])
    expect(known).toEqual([
      [true, false],
      [true, true],
    ])
  })

  test('hold up each exporter by itself, and the ledger is exact (row 46)', async () => {
    const detector = waiting()
    const held = new TakingExporter({ name: 'held', encoding: framed })
    const lines = new TakingExporter({ name: 'lines' })
    const provider = createLoggerProvider({ exporter: [held, lines], detectors: [detector] })
    provider.getLogger('a').emit({})
    await turn()
    expect([held.taken.length, lines.taken.length]).toEqual([0, 1])
    detector.found()
    await provider.shutdown()
    expect(provider.stats().exporters.map(({ written, queued }) => [written, queued])).toEqual([
      [1, 0],
      [1, 0],
    ])
  })

  test('an exporter that is held still serves one owner only', () => {
    const exporter = new TakingExporter({ encoding: framed })
    createLoggerProvider({ exporter, detectors: [pending] })
    expect(() => createLoggerProvider({ exporter })).toThrow(/SLUICE_EXPORTER_IN_USE/)
  })
})
