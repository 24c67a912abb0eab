import { describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { OtelLogRecordProcessor, ReadWriteLogRecord } from '../../../src/otel/api/types.ts'
import { runModule } from '../../support/processes/child.ts'
import { ScriptedExporter, StallingExporter, AcceptingExporter } from '../../support/pipeline/exporters.ts'
import { sdkRecord } from '../processor/sdks.ts'
import { emitting } from '../provider/emitting.ts'

const never = () => new Promise<void>(() => {})
const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

/** Returns a processor that stores its calls and records. */
function recordingProcessor(parts: Partial<OtelLogRecordProcessor> = {}) {
  const calls: string[] = []
  const emitted: ReadWriteLogRecord[] = []
  const processor: OtelLogRecordProcessor = {
    onEmit: (record) => void emitted.push(record),
    async forceFlush() {
      calls.push('forceFlush')
    },
    async shutdown() {
      calls.push('shutdown')
    },
    ...parts,
  }
  return { ...processor, calls, emitted }
}

/** Returns the record that a processor receives. */
function readBy(fields: object, options: Parameters<typeof emitting>[0] = {}): ReadWriteLogRecord {
  const processor = recordingProcessor()
  const { provider } = emitting({ processors: [processor], ...options })
  const scope = { schemaUrl: 'https://example.test/scope', attributes: { part: 'x', surplus: 1 } }
  provider.getLogger('shop', '1.0', scope).emit(fields)
  return processor.emitted[0]!
}

describe('records in a processor of a provider', () => {
  const everything = {
    timestamp: [1_795_254_963, 123_456_789] as [number, number],
    observedTimestamp: [1_795_254_964, 1] as [number, number],
    severityNumber: 13,
    severityText: 'warn',
    body: { a: [1, null, 'x'] },
    eventName: 'order.placed',
    attributes: { k: 'v', list: [1], map: { in: true } },
    context: api.trace.setSpanContext(api.ROOT_CONTEXT, ids),
  }

  // Requirements: REC1
  test.each<[keyof ReadWriteLogRecord, unknown]>([
    ['hrTime', [1_795_254_963, 123_456_789]],
    ['hrTimeObserved', [1_795_254_964, 1]],
    ['severityNumber', 13],
    ['severityText', 'warn'],
    ['body', { a: [1, null, 'x'] }],
    ['eventName', 'order.placed'],
    ['spanContext', ids],
  ])('a processor reads %s as it was emitted', (name, expected) => {
    expect(readBy(everything)[name]).toEqual(expected)
    expect(readBy({})[name]).not.toEqual(expected)
  })

  // Requirements: REC1, EXC1
  test('a processor reads every attribute, including those of an exception', () => {
    const exception = new RangeError('too far')
    expect({ ...readBy({ ...everything, exception }).attributes }).toEqual({
      ...everything.attributes,
      'exception.type': 'RangeError',
      'exception.message': 'too far',
      'exception.stacktrace': expect.stringContaining('RangeError: too far\n'),
    })
    expect({ ...readBy({}).attributes }).toEqual({})
  })

  // Requirements: REC1
  test('a processor reads the resource, and the scope with the number of its dropped attributes', () => {
    const resource = { attributes: { 'service.name': 'shop' }, schemaUrl: 'https://example.test/resource' }
    const read = readBy(everything, { limits: { attributes: 1 }, resource })
    expect(read.instrumentationScope).toEqual({
      name: 'shop',
      version: '1.0',
      schemaUrl: 'https://example.test/scope',
      attributes: { part: 'x' },
      droppedAttributesCount: 1,
    })
    expect(read.resource.schemaUrl).toBe('https://example.test/resource')
    expect(read.resource.attributes).toMatchObject({ 'service.name': 'shop', 'telemetry.sdk.name': 'sluice' })
  })

  // Requirements: REC1, REC2
  test('a processor and the exporter read the dropped attributes count that an earlier processor sets', () => {
    const counts: number[] = []
    const counting = recordingProcessor({
      onEmit: (record) => void (counts.push(record.droppedAttributesCount), (record.droppedAttributesCount += 2)),
    })
    const { provider, emitted } = emitting({ processors: [counting, counting] })
    provider.getLogger('a').emit({ attributes: { k: 1 } })
    expect(counts).toEqual([0, 2])
    expect(emitted()[0]!.droppedAttributesCount).toBe(4)
  })
})

describe('shutdown of a provider', () => {
  // Requirements: SDK4
  test('shutdown reports failure and reaches all exporters when a processor throws, rejects or stalls', async () => {
    const stuck = recordingProcessor({ shutdown: never })
    const rejecting = recordingProcessor({ shutdown: () => Promise.reject(new Error('no')) })
    const throwing = recordingProcessor({
      shutdown: () => {
        throw new Error('no')
      },
    })
    const last = recordingProcessor()
    const exporters = [new AcceptingExporter({ name: 'a' }), new AcceptingExporter({ name: 'b' })]
    const { provider } = emitting({ processors: [stuck, throwing, rejecting, last], exporter: exporters })
    const start = performance.now()
    expect(await provider.shutdown({ timeoutMillis: 30 })).toMatchObject({ ok: false })
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(last.calls).toEqual(['shutdown'])
    expect(exporters.map(({ shutdowns }) => shutdowns)).toEqual([1, 1])
  })

  // Requirements: SDK4
  test.each<[string, Partial<OtelLogRecordProcessor>, boolean]>([
    ['succeeds', {}, true],
    ['never settles', { shutdown: never }, false],
    ['rejects', { shutdown: () => Promise.reject(new Error('no')) }, false],
  ])(
    'shutdown calls a processor once and resolves with the same result each time when the processor %s',
    async (_, parts, ok) => {
      let shutdowns = 0
      const { shutdown } = recordingProcessor(parts)
      const { provider } = emitting({
        processors: [{ ...recordingProcessor(parts), shutdown: () => (shutdowns++, shutdown()) }],
      })
      const answers = await Promise.all([1, 2, 3].map(() => provider.shutdown({ timeoutMillis: 30 })))
      expect(answers).toEqual(Array(3).fill(answers[0]))
      expect(answers[0]).toMatchObject({ ok })
      expect([(await provider.shutdown()).ok, shutdowns]).toEqual([ok, 1])
    },
  )

  // Requirements: SDK4, SDK5
  test.each(['forceFlush', 'shutdown'] as const)(
    '%s of a provider waits for a slow processor although another one has failed',
    async (method) => {
      let isDone = false
      async function slowly(): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 20))
        isDone = true
      }
      const rejecting = recordingProcessor({ [method]: () => Promise.reject(new Error('no')) })
      const { provider } = emitting({ processors: [recordingProcessor({ [method]: slowly }), rejecting] })
      expect(await provider[method]()).toMatchObject({ ok: false })
      expect(isDone).toBe(true)
    },
  )

  // Requirements: SDK4
  test('shutdown without a timeout resolves after 5 s when a processor never settles', async () => {
    const { stdout } = await runModule(
      `${hundredTimesFaster}
      const { createLoggerProvider } = await import(${sourceUrl('otel/provider/provider.ts')})
      const stuck = { onEmit() {}, shutdown: () => new Promise(() => {}) }
      const provider = createLoggerProvider({ processors: [stuck], handleExit: false })
      const start = performance.now()
      const { ok } = await provider.shutdown()
      console.log(JSON.stringify({ ok, seconds: (performance.now() - start) / 1_000 }))`,
    )
    const { ok, seconds } = JSON.parse(stdout) as { ok: boolean; seconds: number }
    expect(ok).toBe(false)
    expect(seconds).toBeGreaterThan(4)
    expect(seconds).toBeLessThan(100)
  })

  // Requirements: SDK4
  test('after shutdown existing and new loggers export nothing', async () => {
    const { provider, emitted } = emitting()
    const before = provider.getLogger('before')
    before.emit({ body: 'm' })
    await provider.shutdown()
    before.emit({ body: 'late' })
    provider.getLogger('before').emit({ body: 'late' })
    provider.getLogger('after').emit({ body: 'late' })
    expect([before.enabled(), provider.getLogger('before').enabled()]).toEqual([false, false])
    expect(emitted().map(({ body }) => body)).toEqual([{ stringValue: 'm' }])
  })
})

function throwing(): never {
  throw new Error('no')
}

describe('forceFlush of a provider', () => {
  // Requirements: SDK5
  test('forceFlush reports failure and reaches all exporters when a processor throws, rejects or stalls', async () => {
    const failing = [never, throwing, () => Promise.reject(new Error('no'))]
    for (const forceFlush of failing) {
      const [first, last] = [recordingProcessor({ forceFlush }), recordingProcessor()]
      const exporters = [new AcceptingExporter({ name: 'a' }), new AcceptingExporter({ name: 'b' })]
      const { provider } = emitting({ processors: [first, last], exporter: exporters })
      provider.getLogger('a').emit({ body: 'm' })
      expect(await provider.forceFlush({ timeoutMillis: 30 })).toMatchObject({ ok: false })
      expect(last.calls).toEqual(['forceFlush'])
      expect(exporters.map(({ flushes, accepted: taken }) => [flushes > 0, taken.length])).toEqual([
        [true, 1],
        [true, 1],
      ])
    }
  })

  // Requirements: SDK5
  test('forceFlush reports success when every processor succeeds, and flushes on every call', async () => {
    const processor = recordingProcessor()
    const { provider } = emitting({ processors: [processor] })
    expect([(await provider.forceFlush()).ok, (await provider.forceFlush()).ok]).toEqual([true, true])
    expect(processor.calls).toEqual(['forceFlush', 'forceFlush'])
  })

  // Requirements: SDK5
  test('forceFlush without a timeout resolves with a failure when a processor never settles', async () => {
    const { stdout } = await runModule(
      `${hundredTimesFaster}
      const { createLoggerProvider } = await import(${sourceUrl('otel/provider/provider.ts')})
      const stuck = { onEmit() {}, forceFlush: () => new Promise(() => {}), async shutdown() {} }
      const provider = createLoggerProvider({ processors: [stuck], handleExit: false })
      const keepAlive = setInterval(() => {}, 1_000)
      const start = performance.now()
      const { ok } = await provider.forceFlush()
      console.log(JSON.stringify({ ok, seconds: (performance.now() - start) / 1_000 }))
      process.exit()`,
    )
    const { ok, seconds } = JSON.parse(stdout) as { ok: boolean; seconds: number }
    expect(ok).toBe(false)
    expect(seconds).toBeLessThan(200)
  })
})

const pipelineProcessor = (exporter: Exporter, options: object = {}) =>
  new PipelineLogRecordProcessor({ exporter, handleExit: false, onDiagnostic: () => {}, ...options })

describe('shutdown of PipelineLogRecordProcessor', () => {
  // Requirements: PRO4
  test('shutdown of a processor exports all queued records once and resolves when they are exported', async () => {
    const exporter = new AcceptingExporter()
    const processor = pipelineProcessor(exporter, { scheduledDelayMillis: 1_000_000, maxExportBatchSize: 2 })
    for (let i = 0; i < 5; i++) processor.onEmit(sdkRecord)
    const [first, second] = [processor.shutdown(), processor.shutdown()]
    await Promise.all([first, second])
    await processor.shutdown()
    expect(exporter.lines()).toHaveLength(5)
    expect([exporter.flushes > 0, exporter.shutdowns]).toEqual([true, 1])
  })

  // Requirements: PRO4
  test('a processor drops and counts records that are emitted during or after its shutdown', async () => {
    const exporter = new StallingExporter()
    const processor = pipelineProcessor(exporter)
    processor.onEmit(sdkRecord)
    const closed = processor.shutdown()
    processor.onEmit(sdkRecord)
    exporter.complete()
    await new Promise((resolve) => setImmediate(resolve))
    if (exporter.pending !== undefined) exporter.complete() // the drop report of the late record
    await closed.catch(() => {})
    processor.onEmit(sdkRecord)
    await processor.forceFlush().catch(() => {})
    const bodies = exporter.lines().filter((line) => line['otel.event.name'] === undefined)
    expect(bodies).toHaveLength(1)
    expect(processor.stats()).toMatchObject({ queued: 0, dropped: { byReason: { shutdown: 2 } } })
    expect(processor.enabled({})).toBe(false)
  })

  // Requirements: PRO4
  test('shutdown of a processor rejects with the number of lost records', async () => {
    const exporter = new ScriptedExporter()
    exporter.respond = () => ({ status: 'rejected', accepted: 0, reason: 'io_error' })
    const processor = pipelineProcessor(exporter)
    processor.onEmit(sdkRecord)
    processor.onEmit(sdkRecord)
    await expect(processor.shutdown()).rejects.toThrow('2 records were lost')
  })

  // Requirements: PRO4
  test.each([
    [
      'never completes an export',
      'export: () => new Promise(() => {}), async shutdown() {}',
      'not all records were exported',
    ],
    [
      'never completes its shutdown',
      "export: () => ({ status: 'accepted' }), shutdown: () => new Promise(() => {})",
      'resolved',
    ],
  ])('shutdown of a processor settles after 30 s when the exporter %s', async (_, parts, expected) => {
    const { stdout } = await runModule(
      `${hundredTimesFaster}
      const { PipelineLogRecordProcessor } = await import(${sourceUrl('otel/sdk/processor.ts')})
      const { jsonLines } = await import(${sourceUrl('encode/json/json-lines.ts')})
      const exporter = { name: 'x', encoding: jsonLines(), schedule: 'turn', delivery: {}, ${parts} }
      const processor = new PipelineLogRecordProcessor({ exporter, handleExit: false, onDiagnostic() {} })
      processor.onEmit(${JSON.stringify(sdkRecord)})
      const keepAlive = setInterval(() => {}, 1_000)
      const start = performance.now()
      const how = await processor.shutdown().then(() => 'resolved', ({ message }) => message)
      console.log(JSON.stringify({ how, seconds: (performance.now() - start) / 1_000 }))
      process.exit()`,
    )
    const { how, seconds } = JSON.parse(stdout) as { how: string; seconds: number }
    expect(how).toContain(expected)
    expect(seconds).toBeGreaterThan(25)
    expect(seconds).toBeLessThan(200)
  })
})

/** Makes a second of the timers and of the monotonic clock last 10 ms. */
const hundredTimesFaster = `
  import { syncBuiltinESMExports } from 'node:module'
  import timers from 'node:timers'
  const { setTimeout: wait } = timers
  const now = performance.now.bind(performance)
  timers.setTimeout = (callback, millis) => wait(callback, millis / 100)
  performance.now = () => now() * 100
  syncBuiltinESMExports()
`

/** Returns a URL for a dynamic import: a static import would run before the timers are replaced. */
function sourceUrl(path: string): string {
  return JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)
}
