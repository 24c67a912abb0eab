import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import type { Stats } from '../../src/logger/types.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { Diagnostic } from '../../src/options/configuration-error.ts'
import { capturingExporter, type CapturingExporter } from '../support/files/test-logger.ts'
import { decodeRequest } from '../support/otlp/messages.ts'

/** The default limit of nested levels in a body, and the maximum for any value. */
const bodyLevels = 512
const maxLevels = 1_000

type AnyValue = Readonly<Record<string, unknown>>
interface Request {
  readonly resourceLogs: readonly [{ readonly scopeLogs: readonly [{ readonly logRecords: readonly [OtlpRecord] }] }]
}
interface OtlpRecord {
  readonly body?: AnyValue
  readonly attributes?: readonly { readonly key: string; readonly value: AnyValue }[]
}

const readers: Readonly<Record<string, readonly [() => CapturingExporter, (capture: CapturingExporter) => unknown]>> = {
  'http/json': [() => capturingExporter(otlpEncoding('http/json')), (capture) => JSON.parse(capture.text())],
  'http/protobuf': [
    () => capturingExporter(otlpEncoding('http/protobuf')),
    (capture) => decodeRequest(capture.bytes()),
  ],
  'lines of OTLP/JSON': [() => capturingExporter(otlpJsonLines()), (capture) => JSON.parse(capture.lines()[0]!)],
}

/** The result of one emitted record. */
interface Emitted {
  readonly records: Readonly<Record<string, OtlpRecord>>
  readonly stats: Stats
  readonly codes: readonly string[]
}
type Emit = (
  record: { body?: unknown; attributes?: object },
  limits: object,
  formats: readonly string[],
) => Promise<Emitted>

function opened(formats: readonly string[]) {
  const captures = formats.map((name) => readers[name]![0]())
  const problems: Diagnostic[] = []
  const found = (): Emitted['records'] =>
    Object.fromEntries(
      formats.map((name, index) => {
        const { resourceLogs } = readers[name]![1](captures[index]!) as Request
        return [name, resourceLogs[0].scopeLogs[0].logRecords[0]]
      }),
    )
  return { captures, found, onDiagnostic: (problem: Diagnostic) => void problems.push(problem), problems }
}

const owners: Readonly<Record<string, Emit>> = {
  async 'the provider'(record, limits, formats) {
    const { captures, found, onDiagnostic, problems } = opened(formats)
    const provider = createLoggerProvider({ exporter: captures, limits, onDiagnostic })
    provider.getLogger('a').emit(record)
    const stats = provider.stats()
    const records = found()
    await provider.shutdown()
    return { records, stats, codes: problems.map(({ code }) => code) }
  },
  async 'the processor'(record, limits, formats) {
    const all = await Promise.all(
      formats.map(async (format) => {
        const { captures, found, onDiagnostic, problems } = opened([format])
        const processor = new PipelineLogRecordProcessor({ exporter: captures[0]!, limits, onDiagnostic })
        const standard = { hrTime: [1, 0], hrTimeObserved: [1, 0], attributes: {}, droppedAttributesCount: 0 } as const
        processor.onEmit({
          ...standard,
          ...record,
          resource: { attributes: {} },
          instrumentationScope: { name: 'a' },
        } as never)
        const stats = processor.stats()
        const records = found()
        await processor.shutdown()
        return { records, stats, codes: problems.map(({ code }) => code) }
      }),
    )
    return { ...all[0]!, records: Object.assign({}, ...all.map(({ records }) => records)) }
  },
}

/** Returns a value with this number of levels of maps, of lists, or of both. */
function nested(levels: number, kind: 'maps' | 'lists' | 'maps and lists'): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) {
    const isList = kind === 'lists' || (kind !== 'maps' && level % 2 === 0)
    value = isList ? [value] : { in: value }
  }
  return value
}

/** Returns the number of levels that a value has in OTLP, and its innermost value: {} is an empty value. */
function endOf(value: AnyValue | undefined): { levels: number; end: unknown } {
  let levels = 0
  for (let at = value; ; levels++) {
    const { kvlistValue, arrayValue } = (at ?? {}) as {
      kvlistValue?: { values: { value?: AnyValue }[] }
      arrayValue?: { values: AnyValue[] }
    }
    if (kvlistValue !== undefined) at = kvlistValue.values[0]!.value
    else if (arrayValue !== undefined) at = arrayValue.values[0]
    else return { levels, end: at ?? {} }
  }
}

const marker = (levels: number): object => ({
  levels,
  end: { stringValue: expect.stringMatching(/^\[(?:Object: 1 keys|Array: 1 items)\]$/) },
})
const whole = (levels: number): object => ({ levels, end: { stringValue: 'end' } })

const together = Object.keys(readers)
const kinds = ['maps', 'lists', 'maps and lists'] as const
const cases = Object.keys(owners).flatMap((owner) =>
  [['http/json'], ['http/protobuf'], together].flatMap((formats) =>
    kinds.map((kind) => [owner, kind, formats] as const),
  ),
)

describe.each(cases)('%s writes a value of nested %s as %p', (owner, kind, formats) => {
  const emit = owners[owner]!
  const bodyOf = async (levels: number, limits = {}) => {
    const { records, stats, codes } = await emit({ body: nested(levels, kind) }, limits, formats)
    return { ends: formats.map((name) => endOf(records[name]!.body)), stats: stats.exporters, codes }
  }
  const attributeOf = async (levels: number, limits = {}) => {
    const { records, stats, codes } = await emit({ attributes: { deep: nested(levels, kind) } }, limits, formats)
    return { ends: formats.map((name) => endOf(records[name]!.attributes![0]!.value)), stats: stats.exporters, codes }
  }
  const inAll = (end: object): object[] => formats.map(() => end)

  // Requirements: LIM7
  test.each([1, 64, 65, bodyLevels])('a body of %i levels is not truncated', async (levels) => {
    const { ends, stats, codes } = await bodyOf(levels)
    expect(ends).toEqual(inAll(whole(levels)))
    expect(stats[0]).toMatchObject({ written: 1, truncated: 0 })
    expect(codes).toEqual([])
  })

  // Requirements: LIM7
  test.each([bodyLevels + 1, 2_000, 20_000])(
    'a body of %i levels is truncated with a marker, counted and reported',
    async (levels) => {
      for (const limits of [{}, { depth: 1 }]) {
        const { ends, stats, codes } = await bodyOf(levels, limits)
        expect(ends).toEqual(inAll(marker(bodyLevels)))
        for (const each of stats) expect(each).toMatchObject({ written: 1, truncated: 1 })
        expect(codes).toEqual(['SLUICE_RECORD_TRUNCATED'])
      }
    },
  )

  test.each([
    [700, 700],
    [20_000, maxLevels],
  ])('limits.depth of %i also limits a body, up to 1,000 levels', async (depth, levels) => {
    expect(await bodyOf(levels, { depth })).toMatchObject({ ends: inAll(whole(levels)), codes: [] })
    expect(await bodyOf(20_000, { depth })).toMatchObject({
      ends: inAll(marker(levels)),
      codes: ['SLUICE_RECORD_TRUNCATED'],
    })
  })

  // Requirements: LIM4
  test.each([
    [{}, 64],
    [{ depth: 1 }, 1],
    [{ depth: 600 }, 600],
  ])('an attribute with the limits %p ends in an empty value after level %i', async (limits, levels) => {
    expect(await attributeOf(levels, limits)).toMatchObject({ ends: inAll(whole(levels)), codes: [] })
    for (const more of [levels + 1, 20_000]) {
      const { ends, stats, codes } = await attributeOf(more, limits)
      expect(ends).toEqual(inAll({ levels, end: {} }))
      expect(stats[0]).toMatchObject({ written: 1, truncated: 0 })
      expect(codes).toEqual([])
    }
  })

  test('an attribute without a depth limit is truncated after 1,000 levels, counted and reported', async () => {
    const limits = { depth: Infinity }
    expect(await attributeOf(maxLevels, limits)).toMatchObject({ ends: inAll(whole(maxLevels)), codes: [] })
    const { ends, stats, codes } = await attributeOf(20_000, limits)
    expect(ends).toEqual(inAll(marker(maxLevels)))
    for (const each of stats) expect(each).toMatchObject({ written: 1, truncated: 1 })
    expect(codes).toEqual(['SLUICE_RECORD_TRUNCATED'])
  })
})

test('a value that exhausts the stack is replaced with a marker, counted and reported as truncated', async () => {
  const capture = capturingExporter(otlpJsonLines())
  const codes = new Set<string>()
  const provider = createLoggerProvider({
    exporter: capture,
    limits: { depth: Infinity },
    onDiagnostic: ({ code }) => void codes.add(code),
  })
  const logger = provider.getLogger('a')
  const record = { attributes: { deep: nested(900, 'maps') } }
  const withFrames = (frames: number): void => (frames === 0 ? logger.emit(record) : withFrames(frames - 1))
  for (let frames = 0; frames < 20_000; frames += 250) {
    try {
      withFrames(frames)
    } catch {
      break // no stack is left for the call itself
    }
  }
  // The last record may be queued, because no stack was left for its export.
  await provider.forceFlush()
  const cut = capture.lines().filter((line) => line.includes('[Threw'))
  expect(cut.length).toBeGreaterThan(0)
  expect(capture.lines().length).toBeGreaterThan(cut.length)
  const { truncated, dropped } = provider.stats().exporters[0]!
  expect(truncated).toBeGreaterThanOrEqual(cut.length)
  expect(truncated).toBeLessThanOrEqual(cut.length + dropped.byReason.not_encoded)
  expect(codes).toContain('SLUICE_RECORD_TRUNCATED')
  await provider.shutdown()
})

test('a record of createLogger is counted as truncated when a value exhausts the stack', async () => {
  const capture = capturingExporter()
  const logger = createLogger({ exporter: capture, limits: { depth: Infinity }, onDiagnostic() {} })
  logger.info('deep', { deep: nested(20_000, 'maps') })
  logger.info('flat', { deep: nested(1, 'maps') })
  expect(capture.lines()[0]).toContain('[Threw')
  expect(logger.stats()).toMatchObject({ written: 2, truncated: 1 })
  await logger.shutdown()
})
