import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { createLogger } from '../../src/create/create-logger.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { type Collector, hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { valueCases } from './values.ts'
import { recordsReceivedBy, expectedBy, exportPaths } from './export-paths.ts'

const testCollector = needs('the Collector (`npm run real-parts`)', hasCollector)
const directory = temporaryDirectory()
let collector: Collector

beforeAll(async () => {
  if (hasCollector) collector = await startCollector(directory.path(''))
})
afterAll(() => directory.remove())

const count = valueCases.length
const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 3 }
const context = trace.setSpanContext(ROOT_CONTEXT, span)
const service = { key: 'service.name', value: { stringValue: 'shop' } }

describe.each(exportPaths.map((path) => [path.title, path] as const))(
  'records that the Collector receives over %s',
  (_, path) => {
    // Requirements: OTL1, OTL5, JS2, JS3, JS4, JS5, JS6, JS7, JS8, JS9, JS11, D2, D3, D8, D24
    testCollector(`the Collector receives each of ${count} attributes of a logger unchanged`, async () => {
      const log = createLogger({ exporter: path.exporter(collector) })
      const records = await recordsReceivedBy(collector, count, () => {
        for (const { title, value } of valueCases) log.info(title, { value })
        return log.shutdown()
      })
      expect(records.map(({ body }) => body)).toEqual(valueCases.map(({ title }) => ({ stringValue: title })))
      expect(records.map(({ attributes }) => attributes)).toEqual(
        expectedBy(path).map((value) => [{ key: 'value', value }]),
      )
      expect(log.stats()).toMatchObject({ emitted: count, written: count })
    })

    // Requirements: D2, D3, D5
    testCollector(`the Collector receives each of ${count} values of a provider as attribute and body`, async () => {
      const provider = createLoggerProvider({ exporter: path.exporter(collector) })
      const logger = provider.getLogger('values')
      const records = await recordsReceivedBy(collector, count, () => {
        for (const { title, value } of valueCases) logger.emit({ eventName: title, attributes: { value }, body: value })
        return provider.shutdown()
      })
      expect(records.map(({ eventName, attributes, body }) => ({ eventName, attributes, body }))).toEqual(
        expectedBy(path).map((value, index) => ({
          eventName: valueCases[index]!.title,
          attributes: [{ key: 'value', value }],
          body: value,
        })),
      )
      expect(provider.stats()).toMatchObject({ emitted: count, written: count })
    })

    // Requirements: DM1, DM2, DM3, DM4, DM5, DM6, DM7, DM8, DM9, DM10, DM11, DM12, SDK1, SDK12
    testCollector('the Collector receives every field of a record, its scope and its resource', async () => {
      const provider = createLoggerProvider({
        exporter: path.exporter(collector),
        resource: resourceFromAttributes({ 'service.name': 'shop' }, { schemaUrl: 'https://shop.example/resource/1' }),
        limits: { attributes: 2 },
        onDiagnostic: () => {},
      })
      const scope = { schemaUrl: 'https://shop.example/scope/2', attributes: { tier: 'gold' } }
      const [record] = await recordsReceivedBy(collector, 1, () => {
        provider.getLogger('checkout', '1.2.3', scope).emit({
          timestamp: [1_700_000_000, 123_456_789],
          observedTimestamp: [1_700_000_001, 7],
          severityNumber: 14,
          severityText: 'notice',
          body: 'placed',
          attributes: { a: 1, b: 2, c: 3, d: 4 },
          eventName: 'order.placed',
          context,
        })
        return provider.shutdown()
      })
      expect(record).toEqual({
        resource: {
          attributes: expect.arrayContaining([service]),
          droppedAttributesCount: 0,
          schemaUrl: 'https://shop.example/resource/1',
        },
        scope: {
          name: 'checkout',
          version: '1.2.3',
          attributes: [{ key: 'tier', value: { stringValue: 'gold' } }],
          droppedAttributesCount: 0,
          schemaUrl: 'https://shop.example/scope/2',
        },
        timeUnixNano: '1700000000123456789',
        observedTimeUnixNano: '1700000001000000007',
        severityNumber: 14,
        severityText: 'notice',
        body: { stringValue: 'placed' },
        attributes: [
          { key: 'a', value: { intValue: '1' } },
          { key: 'b', value: { intValue: '2' } },
        ],
        droppedAttributesCount: 2,
        flags: 3,
        traceId: span.traceId,
        spanId: span.spanId,
        eventName: 'order.placed',
      })
    })

    // Requirements: DM1, DM2, DM3, DM4, DM5, DM6, DM7, DM8, DM9, DM10, DM11, DM12, EVT1
    testCollector('the Collector receives every field of an event of a child logger', async () => {
      const orderPlaced = defineEvent('order.placed', { level: 'warn' })
      const log = createLogger({
        name: 'checkout',
        version: '1.2.3',
        resource: { 'service.name': 'shop' },
        limits: { attributes: 2 },
        clock: () => 1_700_000_000_123,
        exporter: path.exporter(collector),
      })
      const [record] = await recordsReceivedBy(collector, 1, () => {
        orderPlaced(log.child({ tenant: 'acme' }, { context }), { id: 42, surplus: true })
        return log.shutdown()
      })
      expect(record).toMatchObject({
        resource: { attributes: expect.arrayContaining([service]), schemaUrl: '' },
        scope: { name: 'checkout', version: '1.2.3', attributes: [], schemaUrl: '' },
        timeUnixNano: '1700000000123000000',
        observedTimeUnixNano: '1700000000123000000',
        severityNumber: 13,
        severityText: 'warn',
        attributes: [
          { key: 'tenant', value: { stringValue: 'acme' } },
          { key: 'id', value: { intValue: '42' } },
        ],
        droppedAttributesCount: 1,
        flags: 3,
        traceId: span.traceId,
        spanId: span.spanId,
        eventName: 'order.placed',
      })
    })

    testCollector('the Collector receives the records of two loggers in one batch under their own scopes', async () => {
      const provider = createLoggerProvider({ exporter: path.exporter(collector) })
      const loggers = [provider.getLogger('cart', '1'), provider.getLogger('checkout', '2')]
      const records = await recordsReceivedBy(collector, 6, () => {
        for (let turn = 0; turn < 3; turn++) for (const logger of loggers) logger.emit({ body: turn })
        return provider.shutdown()
      })
      expect(provider.stats().exporters[0]).toMatchObject({ written: 6, exports: 1 })
      const received = records.map(({ scope, body }) => `${scope.name} ${scope.version}: ${JSON.stringify(body)}`)
      const expected = [0, 1, 2].flatMap((turn) => [
        `cart 1: {"intValue":"${turn}"}`,
        `checkout 2: {"intValue":"${turn}"}`,
      ])
      expect(received.toSorted()).toEqual(expected.toSorted())
    })
  },
)
