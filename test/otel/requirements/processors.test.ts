import { describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { OtelLogRecordProcessor, ReadWriteLogRecord } from '../../../src/otel/api/types.ts'
import { runModule } from '../../support/processes/child.ts'
import { AnsweringExporter, StallingExporter, TakingExporter } from '../../support/pipeline/exporters.ts'
import { emitting } from '../provider/emitting.ts'

const never = () => new Promise<void>(() => {})
const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

/** A processor that keeps what it was called for. */
function watching(parts: Partial<OtelLogRecordProcessor> = {}) {
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

/** The record that a processor is given. */
function readBy(fields: object, options: Parameters<typeof emitting>[0] = {}): ReadWriteLogRecord {
  const processor = watching()
  const { provider } = emitting({ processors: [processor], ...options })
  const scope = { schemaUrl: 'https://example.test/scope', attributes: { part: 'x', surplus: 1 } }
  provider.getLogger('shop', '1.0', scope).emit(fields)
  return processor.emitted[0]!
}

describe('a processor of a provider', () => {
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

  test.each<[keyof ReadWriteLogRecord, unknown]>([
    ['hrTime', [1_795_254_963, 123_456_789]],
    ['hrTimeObserved', [1_795_254_964, 1]],
    ['severityNumber', 13],
    ['severityText', 'warn'],
    ['body', { a: [1, null, 'x'] }],
    ['eventName', 'order.placed'],
    ['spanContext', ids],
  ])('reads %s as it was emitted (REC1)', (name, expected) => {
    expect(readBy(everything)[name]).toEqual(expected)
    expect(readBy({})[name]).not.toEqual(expected)
  })

  test('reads every attribute, and the ones that an exception makes (REC1, EXC1)', () => {
    const exception = new RangeError('too far')
    expect({ ...readBy({ ...everything, exception }).attributes }).toEqual({
      ...everything.attributes,
      'exception.type': 'RangeError',
      'exception.message': 'too far',
      'exception.stacktrace': expect.stringContaining('RangeError: too far\n'),
    })
    expect({ ...readBy({}).attributes }).toEqual({})
  })

  test('reads the whole scope and the resource, with the number of attributes that the scope has lost (REC1)', () => {
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

  test('reads the number of dropped attributes, which a processor before it may have changed, and so does the exporter (REC1, REC2)', () => {
    const counts: number[] = []
    const counting = watching({
      onEmit: (record) => void (counts.push(record.droppedAttributesCount), (record.droppedAttributesCount += 2)),
    })
    const { provider, emitted } = emitting({ processors: [counting, counting] })
    provider.getLogger('a').emit({ attributes: { k: 1 } })
    expect(counts).toEqual([0, 2])
    expect(emitted()[0]!.droppedAttributesCount).toBe(4)
  })
})

describe('the shutdown of a provider', () => {
  test('reaches every processor and exporter although some throw, reject or never end, and says that it failed (SDK4)', async () => {
    const stuck = watching({ shutdown: never })
    const rejecting = watching({ shutdown: () => Promise.reject(new Error('no')) })
    const throwing = watching({
      shutdown: () => {
        throw new Error('no')
      },
    })
    const last = watching()
    const exporters = [new TakingExporter({ name: 'a' }), new TakingExporter({ name: 'b' })]
    const { provider } = emitting({ processors: [stuck, throwing, rejecting, last], exporter: exporters })
    const start = performance.now()
    expect(await provider.shutdown({ timeoutMillis: 30 })).toMatchObject({ ok: false })
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(last.calls).toEqual(['shutdown'])
    expect(exporters.map(({ shutdowns }) => shutdowns)).toEqual([1, 1])
  })

  test.each<[string, Partial<OtelLogRecordProcessor>, boolean]>([
    ['works', {}, true],
    ['never ends', { shutdown: never }, false],
    ['rejects', { shutdown: () => Promise.reject(new Error('no')) }, false],
  ])('ends and says how it went when a processor %s, once (SDK4)', async (_, parts, ok) => {
    let asked = 0
    const { shutdown } = watching(parts)
    const { provider } = emitting({ processors: [{ ...watching(parts), shutdown: () => (asked++, shutdown()) }] })
    const answers = await Promise.all([1, 2, 3].map(() => provider.shutdown({ timeoutMillis: 30 })))
    expect(answers).toEqual(Array(3).fill(answers[0]))
    expect(answers[0]).toMatchObject({ ok })
    expect([(await provider.shutdown()).ok, asked]).toEqual([ok, 1])
  })

  test.each(['forceFlush', 'shutdown'] as const)(
    'and a flush wait for a slow processor although another one has failed: %s (SDK4, SDK5)',
    async (method) => {
      let isDone = false
      async function slowly(): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 20))
        isDone = true
      }
      const rejecting = watching({ [method]: () => Promise.reject(new Error('no')) })
      const { provider } = emitting({ processors: [watching({ [method]: slowly }), rejecting] })
      expect(await provider[method]()).toMatchObject({ ok: false })
      expect(isDone).toBe(true)
    },
  )

  test('ends within 5 s without a timeout, although a processor does not end (SDK4)', async () => {
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

  test('makes loggers that were handed out, and later ones, export nothing (SDK4)', async () => {
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

describe('the flush of a provider', () => {
  test('reaches every processor and exporter although some throw, reject or never end, and reports that it failed (SDK5)', async () => {
    const failing = [never, throwing, () => Promise.reject(new Error('no'))]
    for (const forceFlush of failing) {
      const [first, last] = [watching({ forceFlush }), watching()]
      const exporters = [new TakingExporter({ name: 'a' }), new TakingExporter({ name: 'b' })]
      const { provider } = emitting({ processors: [first, last], exporter: exporters })
      provider.getLogger('a').emit({ body: 'm' })
      expect(await provider.forceFlush({ timeoutMillis: 30 })).toMatchObject({ ok: false })
      expect(last.calls).toEqual(['forceFlush'])
      expect(exporters.map(({ flushes, taken }) => [flushes > 0, taken.length])).toEqual([
        [true, 1],
        [true, 1],
      ])
    }
  })

  test('reports success when all succeed, and flushes again each time (SDK5)', async () => {
    const processor = watching()
    const { provider } = emitting({ processors: [processor] })
    expect([(await provider.forceFlush()).ok, (await provider.forceFlush()).ok]).toEqual([true, true])
    expect(processor.calls).toEqual(['forceFlush', 'forceFlush'])
  })

  test('ends without a timeout of its own although a processor does not end, and reports that (SDK5)', async () => {
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

const closing = (exporter: Exporter, options: object = {}) =>
  new PipelineLogRecordProcessor({ exporter, handleExit: false, onDiagnostic: () => {}, ...options })

describe('the shutdown of PipelineLogRecordProcessor', () => {
  const record = {
    hrTime: [1, 0] as [number, number],
    hrTimeObserved: [1, 0] as [number, number],
    resource: { attributes: {} },
    instrumentationScope: { name: 'a' },
    attributes: {},
    droppedAttributesCount: 0,
  }

  test('exports what forceFlush would, once, and resolves when all is exported (PRO4)', async () => {
    const exporter = new TakingExporter()
    const processor = closing(exporter, { scheduledDelayMillis: 1_000_000, maxExportBatchSize: 2 })
    for (let i = 0; i < 5; i++) processor.onEmit(record)
    const [first, second] = [processor.shutdown(), processor.shutdown()]
    await Promise.all([first, second])
    await processor.shutdown()
    expect(exporter.lines()).toHaveLength(5)
    expect([exporter.flushes > 0, exporter.shutdowns]).toEqual([true, 1])
  })

  test('ignores what is emitted from its call on, during it and afterwards, and counts it (PRO4)', async () => {
    const exporter = new StallingExporter()
    const processor = closing(exporter)
    processor.onEmit(record)
    const over = processor.shutdown()
    processor.onEmit(record)
    exporter.answer()
    await new Promise((resolve) => setImmediate(resolve))
    if (exporter.pending !== undefined) exporter.answer() // the notice of the record that came too late
    await over.catch(() => {})
    processor.onEmit(record)
    await processor.forceFlush().catch(() => {})
    const bodies = exporter.lines().filter((line) => line['otel.event.name'] === undefined)
    expect(bodies).toHaveLength(1)
    expect(processor.stats()).toMatchObject({ queued: 0, dropped: { byReason: { shutdown: 2 } } })
    expect(processor.enabled({})).toBe(false)
  })

  test('rejects with the number of records that were lost (PRO4)', async () => {
    const exporter = new AnsweringExporter()
    exporter.answer = () => ({ status: 'rejected', accepted: 0, reason: 'io_error' })
    const processor = closing(exporter)
    processor.onEmit(record)
    processor.onEmit(record)
    await expect(processor.shutdown()).rejects.toThrow('2 records were lost')
  })

  test.each([
    ['never answers', 'export: () => new Promise(() => {}), async shutdown() {}', 'not everything was exported'],
    ['never closes', "export: () => ({ status: 'accepted' }), shutdown: () => new Promise(() => {})", 'resolved'],
  ])('ends within its 30 s when the exporter %s (PRO4)', async (_, parts, expected) => {
    const { stdout } = await runModule(
      `${hundredTimesFaster}
      const { PipelineLogRecordProcessor } = await import(${sourceUrl('otel/sdk/processor.ts')})
      const { jsonLines } = await import(${sourceUrl('encode/json/json-lines.ts')})
      const exporter = { name: 'x', encoding: jsonLines(), schedule: 'turn', delivery: {}, ${parts} }
      const processor = new PipelineLogRecordProcessor({ exporter, handleExit: false, onDiagnostic() {} })
      processor.onEmit(${JSON.stringify(record)})
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

/** For a dynamic import: a static one would run before the timers are replaced. */
function sourceUrl(path: string): string {
  return JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)
}
