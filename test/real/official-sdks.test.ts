import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { EncodingLogRecordExporter } from '../../src/otel/sdk/encoding-exporter.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { type Sdk, sdks, type Provider, resourceWith } from '../otel/processor/sdks.ts'
import { type Collector, hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import type { OtlpValue } from '../support/otlp/records.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { valueCases } from './values.ts'
import { recordsReceivedBy } from './export-paths.ts'

const testCollector = needs('the Collector (`npm run real-parts`)', hasCollector)
const directory = temporaryDirectory()
let collector: Collector

beforeAll(async () => {
  if (hasCollector) collector = await startCollector(directory.path(''))
})
afterAll(() => directory.remove())

/** The components of this package for an SDK. */
const parts: readonly [string, (sdk: Sdk) => object][] = [
  ['PipelineLogRecordProcessor', () => new PipelineLogRecordProcessor({ exporter: exporter() })],
  [
    'EncodingLogRecordExporter and its batch processor',
    ({ BatchLogRecordProcessor }) =>
      new BatchLogRecordProcessor({ exporter: new EncodingLogRecordExporter({ exporter: exporter() }) }),
  ],
]
const exporter = () => otlpExporter({ url: `${collector.httpUrl}/v1/logs` })

/** Each component with each major version of the SDK. */
const components = sdks.flatMap((sdk) =>
  parts.map(([part, make]) => ({
    title: `${sdk.name} with ${part}`,
    provider: (resource?: object): Provider =>
      new sdk.LoggerProvider({ processors: [make(sdk)], ...(resource === undefined ? {} : { resource }) }),
  })),
)

/** Values whose attribute both SDK versions drop before a processor or exporter receives it (D8). */
const droppedBySdk = [
  '2^53 + 2 as a BigInt',
  'the least int64',
  'the largest int64',
  'a BigInt beyond int64',
  'a Date',
  'an Error with a cause',
  'a Map',
  'a Set',
  'a cycle',
]
/** Values that the SDKs empty, because a key `__proto__` becomes the prototype of their copy (D24). */
const emptiedBySdk = ['a key __proto__']

function leftBySdk(title: string, expected: OtlpValue): { key: string; value: OtlpValue }[] {
  if (droppedBySdk.includes(title)) return []
  return [{ key: 'value', value: emptiedBySdk.includes(title) ? { kvlistValue: { values: [] } } : expected }]
}

describe.each(components.map(({ title, provider }) => [title, provider] as const))(
  'records that the Collector receives from %s',
  (_, providerWith) => {
    // Requirements: D2, D3, D5
    testCollector(
      `the Collector receives each of ${valueCases.length} bodies unchanged, and all attributes except the ten that the SDK drops`,
      async () => {
        const provider = providerWith()
        const logger = provider.getLogger('values')
        const records = await recordsReceivedBy(collector, valueCases.length, () => {
          for (const { title, value } of valueCases)
            logger.emit({ eventName: title, attributes: { value }, body: value })
          return provider.shutdown()
        })
        expect(records.map(({ eventName, attributes, body }) => ({ eventName, attributes, body }))).toEqual(
          valueCases.map(({ title, expected }) => ({
            eventName: title,
            attributes: leftBySdk(title, expected),
            body: expected,
          })),
        )
        // The SDK does not count the dropped attributes.
        expect(records.map(({ droppedAttributesCount }) => droppedAttributesCount)).toEqual(valueCases.map(() => 0))
      },
    )

    // Requirements: DM1, DM2, DM3, DM4, DM5, DM6, DM7, DM8, DM9, DM10, DM11
    testCollector('the Collector receives every field of a record, its scope and its resource', async () => {
      const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
      const provider = providerWith(resourceWith({ 'service.name': 'shop' }))
      const [record] = await recordsReceivedBy(collector, 1, () => {
        provider.getLogger('checkout', '1.2.3', { schemaUrl: 'https://shop.example/scope/2' }).emit({
          timestamp: [1_700_000_000, 123_456_789],
          observedTimestamp: [1_700_000_001, 7],
          severityNumber: 14,
          severityText: 'notice',
          body: 'placed',
          attributes: Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`a${index}`, index])),
          eventName: 'order.placed',
          context: trace.setSpanContext(ROOT_CONTEXT, span),
        })
        return provider.shutdown()
      })
      expect(record).toEqual({
        resource: {
          attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }],
          droppedAttributesCount: 0,
          schemaUrl: '',
        },
        scope: {
          name: 'checkout',
          version: '1.2.3',
          attributes: [],
          droppedAttributesCount: 0,
          schemaUrl: 'https://shop.example/scope/2',
        },
        timeUnixNano: '1700000000123456789',
        observedTimeUnixNano: '1700000001000000007',
        severityNumber: 14,
        severityText: 'notice',
        body: { stringValue: 'placed' },
        attributes: Array.from({ length: 128 }, (_, index) => ({
          key: `a${index}`,
          value: { intValue: String(index) },
        })),
        droppedAttributesCount: 2,
        flags: 1,
        traceId: span.traceId,
        spanId: span.spanId,
        eventName: 'order.placed',
      })
    })

    testCollector('the Collector receives the records of two loggers under their own scopes', async () => {
      const provider = providerWith()
      const loggers = [provider.getLogger('cart', '1'), provider.getLogger('checkout', '2')]
      const records = await recordsReceivedBy(collector, 4, () => {
        for (const turn of ['a', 'b']) for (const logger of loggers) logger.emit({ body: turn, eventName: turn })
        return provider.shutdown()
      })
      const received = records.map(({ scope, eventName }) => `${scope.name} ${scope.version}: ${eventName}`)
      expect(received.toSorted()).toEqual(['cart 1: a', 'cart 1: b', 'checkout 2: a', 'checkout 2: b'])
    })
  },
)
