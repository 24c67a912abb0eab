import { describe, expect, test } from '@jest/globals'
import type { Context, ContextManager } from '@opentelemetry/api'
import { memoryExporter } from '../../../src/entries/exporters.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import type { OtelResource } from '../../../src/otel/api/types.ts'
import { ScriptedExporter } from '../../support/pipeline/exporters.ts'
import { shutDownAfterEach, official, pipeline, stallingExporter } from './harness.ts'
import { sdkRecord, sdks, numbers, resourceWith, turn } from './sdks.ts'

shutDownAfterEach()

describe.each(sdks)('in the LoggerProvider of $name', (sdk) => {
  describe('an exporter that misbehaves', () => {
    // Requirements: EXP1, PRO7
    test('a batch whose export fails is dropped, and the next batch is exported', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(sdk, { exporter, maxExportBatchSize: 2 })
      emit(numbers(4))
      await exporter.called(1)
      exporter.respond({ code: 1 })
      await exporter.called(2)
      exporter.respond()
      await processor.forceFlush().catch(() => {})
      expect(exporter.sizes.slice(0, 2)).toEqual([2, 2])
      expect(processor.stats()).toMatchObject({ dropped: { total: 2, byReason: { io_error: 2 } } })
    })

    // Requirements: D11, PRO6
    test('exports do not overlap after a timeout, unlike with the official processor', async () => {
      const exporter = stallingExporter()
      const own = fromLogRecordExporter(exporter, { exportTimeoutMillis: 10, retry: false })
      const { emit, processor, codes } = pipeline(sdk, { exporter: own, maxExportBatchSize: 1 })
      emit(numbers(4))
      await expect(processor.forceFlush()).rejects.toThrow('not all records were exported')
      expect(exporter.maxOpen).toBe(1)
      expect(exporter.sizes).toEqual([1])
      expect(codes()).toContain('SLUICE_EXPORT_TIMEOUT')
      // One record was sent without a response, and three were never sent.
      expect(processor.stats()).toMatchObject({ unknown: 1, dropped: { byReason: { retry_exhausted: 3 } } })
      exporter.respond()
      emit([4])
      await exporter.called(2)
      expect(exporter.bodies).toEqual([0, 4])
      exporter.respond()

      const theirs = stallingExporter()
      const other = official(sdk, { exporter: theirs, maxExportBatchSize: 1, exportTimeoutMillis: 10 })
      other.emit(numbers(4))
      expect(await other.processor.forceFlush()).toBeUndefined()
      expect(theirs.maxOpen).toBeGreaterThan(1)
    })

    // Requirements: D30
    test('exportTimeoutMillis: 0 disables the timeout, but makes the official processor time out at once', async () => {
      const exporter = stallingExporter()
      const { emit, processor } = pipeline(sdk, { exporter, exportTimeoutMillis: 0 })
      emit([1])
      const flushing = processor.forceFlush()
      await exporter.called(1)
      await new Promise((resolve) => setTimeout(resolve, 10))
      exporter.respond()
      await flushing
      expect(processor.stats()).toMatchObject({ written: 1, unknown: 0 })

      const theirs = stallingExporter()
      const other = official(sdk, { exporter: theirs, exportTimeoutMillis: 0 })
      other.emit([1])
      await other.processor.forceFlush()
      expect(theirs.open).toBe(1)
    })

    // Requirements: D12, ERR1
    test('an exporter that throws fails the export', async () => {
      const exporter = stallingExporter()
      exporter.export = () => {
        throw new Error('no')
      }
      const { emit, processor, codes } = pipeline(sdk, { exporter })
      emit([1])
      await expect(processor.forceFlush()).rejects.toThrow('1 record was lost')
      expect(codes()).toEqual(['SLUICE_EXPORT_FAILED'])
    })

    // Requirements: CON1
    test('a processor shuts down even if forceFlush and shutdown of the exporter reject', async () => {
      const exporter = stallingExporter(true)
      exporter.forceFlush = exporter.shutdown = () => Promise.reject(new Error('no'))
      const { emit, processor } = pipeline(sdk, { exporter })
      emit([1])
      await expect(processor.forceFlush()).rejects.toThrow('the exporter could not be flushed')
      await processor.shutdown()
      expect(processor.stats()).toMatchObject({ written: 1, queued: 0 })
    })

    test('a second callback of an export is ignored', async () => {
      const exporter = stallingExporter()
      exporter.export = (_, resultCallback) => {
        resultCallback({ code: 0 })
        resultCallback({ code: 1 })
      }
      const { emit, processor } = pipeline(sdk, { exporter })
      emit([1])
      await processor.forceFlush()
      expect(processor.stats()).toMatchObject({ written: 1, dropped: { total: 0 } })
    })
  })

  describe('a resource with pending attributes', () => {
    test('a batch waits for a pending resource, and its records have the complete resource', async () => {
      const host = Promise.withResolvers<string>()
      const resource = resourceWith({ 'service.name': 'shop', 'host.id': host.promise })
      const exporter = stallingExporter(true)
      const { emit, processor } = pipeline(sdk, { exporter }, resource)
      emit([1])
      const flushing = processor.forceFlush()
      await turn()
      expect(exporter.batches).toEqual([])
      host.resolve('h-1')
      await flushing
      emit([2])
      await processor.forceFlush()
      expect(exporter.batches.flat().map((record) => record.resource)).toEqual([resource, resource])
      expect(exporter.batches[0]![0]!.resource).toBe(resource)
      expect(exporter.batches[0]![0]!.resource.attributes).toEqual({ 'service.name': 'shop', 'host.id': 'h-1' })
    })

    // Requirements: D14
    test('a batch is exported although its resource never settles, unlike with the official processor', async () => {
      const exporter = stallingExporter(true)
      const own = fromLogRecordExporter(exporter)
      const { emit, processor } = pipeline(sdk, { exporter: own, exportTimeoutMillis: 40 }, neverSettling())
      emit([1])
      await processor.forceFlush()
      expect(exporter.bodies).toEqual([1])

      const theirs = stallingExporter(true)
      const other = official(sdk, { exporter: theirs, exportTimeoutMillis: 40 }, neverSettling())
      other.emit([1])
      await expect(other.provider.forceFlush({ timeoutMillis: 100 })).rejects.toThrow('timed out')
      expect(theirs.bodies).toEqual([])
    })
  })

  describe('the processor contract', () => {
    // Requirements: PRO1
    test('changes by earlier processors are in the exported record', async () => {
      const changing = {
        onEmit(record: { setBody(body: unknown): void; setAttribute(key: string, value: unknown): void }) {
          record.setBody('changed')
          record.setAttribute('added', true)
        },
        forceFlush: async () => {},
        shutdown: async () => {},
      }
      const memory = memoryExporter()
      const processor = new PipelineLogRecordProcessor({ exporter: memory })
      new sdk.LoggerProvider({ processors: [changing, processor] }).getLogger('test').emit({ body: 1 })
      expect(memory.records).toMatchObject([{ message: 'changed', attributes: { added: true } }])
    })

    // Requirements: PRO2, ERR1
    test('onEmit does not throw for invalid records', () => {
      const { processor } = pipeline(sdk, { exporter: memoryExporter() })
      const hostile = [
        undefined,
        null,
        5,
        {},
        Object.defineProperty({}, 'body', { get: thrower }),
        new Proxy({}, { get: thrower }),
      ]
      for (const record of hostile) expect(() => processor.onEmit(record as never)).not.toThrow()
      const { emitted, written, dropped } = processor.stats()
      expect(emitted).toBe(hostile.length)
      expect(written + dropped.total).toBe(hostile.length)
    })

    // Requirements: PRO2
    test('onEmit returns immediately while an export is pending and the queue is full', async () => {
      const exporter = stallingExporter()
      const { processor } = pipeline(sdk, { exporter, maxQueueSize: 2, maxExportBatchSize: 1 })
      for (let body = 0; body < 5; body++) expect(processor.onEmit({ ...sdkRecord, body })).toBeUndefined()
      const { emitted, queued, dropped } = processor.stats()
      expect([emitted, queued, dropped.total]).toEqual([5, 2, 3])
      exporter.resume()
      await processor.shutdown()
    })

    // Requirements: PRO2
    test('onEmit returns before the export that it started settles, and does not start a second export', async () => {
      const exporter = stallingExporter()
      const { processor } = pipeline(sdk, { exporter, maxExportBatchSize: 2 })
      for (const body of numbers(2)) processor.onEmit({ ...sdkRecord, body })
      await exporter.called(1)
      expect(exporter.open).toBe(1)
      for (const body of numbers(10, 2)) {
        processor.onEmit({ ...sdkRecord, body })
        // The export has not settled, and the batches that were filled meanwhile are queued.
        expect([exporter.open, exporter.batches.length, processor.stats().written]).toEqual([1, 1, 0])
      }
      expect(processor.stats()).toMatchObject({ emitted: 10, queued: 10 })
      exporter.resume()
      await processor.shutdown()
      expect(exporter.bodies).toEqual(numbers(10))
      expect(exporter.maxOpen).toBe(1)
    })

    // Requirements: PRO2, ERR1
    test.each(['turn', 'microtask', 'sync'] as const)(
      'onEmit does not throw when a batch is full and export throws, with the schedule %j',
      async (schedule) => {
        let exports = 0
        const foreign = stallingExporter()
        const own = new ScriptedExporter({ schedule })
        for (const exporter of [foreign, own]) {
          exporter.export = () => {
            exports++
            throw new TypeError('hunter2')
          }
          exports = 0
          const { processor, codes, diagnostics } = pipeline(sdk, { exporter, maxExportBatchSize: 2 })
          for (const body of numbers(20)) expect(processor.onEmit({ ...sdkRecord, body })).toBeUndefined()
          // export was called within onEmit.
          expect(exports).toBeGreaterThan(0)
          await processor.shutdown().catch(() => {})
          expect(exports).toBeGreaterThanOrEqual(10)
          expect(processor.stats()).toMatchObject({
            emitted: 20,
            written: 0,
            queued: 0,
            dropped: { total: 20, byReason: { io_error: 20 } },
          })
          expect(codes()[0]).toBe('SLUICE_EXPORT_FAILED')
          expect(JSON.stringify(diagnostics)).not.toContain('hunter2')
        }
      },
    )

    // Requirements: PRO3
    test('enabled() applies the exporter level, passes unspecified severities and is false after shutdown', async () => {
      const memory = memoryExporter({ level: 'warn' })
      const { processor, provider } = pipeline(sdk, { exporter: memory })
      const options = { context: sdk.api.ROOT_CONTEXT, instrumentationScope: { name: 'a' } }
      const at = (severityNumber?: number) => processor.enabled(Object.freeze({ ...options, severityNumber }))
      expect([undefined, 0, 1, 12, 13, 24].map(at)).toEqual([true, true, false, false, true, true])
      const logger = provider.getLogger('a')
      for (const severityNumber of [undefined, 1, 12, 13, 24]) {
        logger.emit({ body: severityNumber, ...(severityNumber === undefined ? {} : { severityNumber }) })
        // onEmit also applies the level.
        processor.onEmit({ ...sdkRecord, severityNumber: severityNumber ?? 0 })
      }
      expect(processor.stats()).toMatchObject({ written: 6 })
      await processor.shutdown()
      expect(at(24)).toBe(false)
    })

    // Requirements: OTL17
    test('exports run with tracing suppressed', async () => {
      const suppressed: unknown[] = []
      const exporter = stallingExporter(true)
      const deliver = exporter.export.bind(exporter)
      exporter.export = (records, callback) => {
        suppressed.push(sdk.api.context.active().getValue(Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')))
        deliver(records, callback)
      }
      sdk.api.context.setGlobalContextManager(stackContextManager(sdk.api.ROOT_CONTEXT))
      const { emit, processor } = pipeline(sdk, { exporter })
      emit([1])
      await processor.forceFlush()
      expect(suppressed).toEqual([true])
      expect(exporter.bodies).toEqual([1])
    })
  })
})

function neverSettling(): OtelResource {
  return resourceWith({ 'service.name': 'shop', 'host.id': new Promise(() => {}) })
}

function thrower(): never {
  throw new Error('no')
}

/** Returns a minimal synchronous context manager. */
function stackContextManager(root: Context): ContextManager {
  let current = root
  const manager: ContextManager = {
    active: () => current,
    with(context, fn, self, ...args) {
      const before = current
      current = context
      try {
        return fn.call(self, ...args)
      } finally {
        current = before
      }
    },
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}
