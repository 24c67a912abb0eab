import { afterEach, describe, expect, test } from '@jest/globals'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fileExporter, memoryExporter, type Exporter } from '../../../src/entries/exporters.ts'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import type { OtelExportResult, ReadableLogRecord } from '../../../src/otel/api/types.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { ScriptedExporter, StallingExporter } from '../../support/pipeline/exporters.ts'
import { sdks, numbers, turn } from '../processor/sdks.ts'

const resource = { attributes: { 'service.name': 'shop' } }
const instrumentationScope = { name: 'checkout' }

function records(bodies: readonly unknown[]): ReadableLogRecord[] {
  return bodies.map((body) => ({
    hrTime: [1_795_255_000, 123_456_789],
    hrTimeObserved: [1_795_255_000, 123_456_789],
    severityNumber: 9,
    body,
    resource,
    instrumentationScope,
    attributes: { card: '4111' },
    droppedAttributesCount: 0,
  }))
}

/** Exports a record for each body, and returns the result that is passed to the callback. */
function exported(exporter: EncodingLogRecordExporter, bodies: readonly unknown[]): Promise<OtelExportResult> {
  return new Promise((resolve) => exporter.export(records(bodies), resolve))
}

const open: EncodingLogRecordExporter[] = []

afterEach(async () => {
  for (const exporter of open.splice(0)) await exporter.shutdown()
})

function encoding(exporter: Exporter, options: object = {}): EncodingLogRecordExporter {
  const wrapper = new EncodingLogRecordExporter({ exporter, onDiagnostic: () => {}, ...options })
  open.push(wrapper)
  return wrapper
}

describe.each(sdks)('EncodingLogRecordExporter with the processors of $name', (sdk) => {
  test('records from the batch processor are exported once, in order and redacted', async () => {
    const memory = memoryExporter()
    const exporter = new EncodingLogRecordExporter({ exporter: memory, redact: ['card'] })
    const processor = new sdk.BatchLogRecordProcessor({ exporter, maxExportBatchSize: 5 })
    const provider = new sdk.LoggerProvider({ processors: [processor] })
    for (const body of numbers(12)) {
      provider.getLogger('checkout').emit({ body: `n${body}`, severityNumber: 13, attributes: { card: '4111' } })
    }
    await provider.forceFlush()
    expect(memory.records.map(({ message }) => message)).toEqual(numbers(12).map((body) => `n${body}`))
    expect(memory.records[0]).toMatchObject({ level: 'warn', attributes: { card: '[REDACTED]' } })
    await provider.shutdown()
    expect(exporter.stats()).toMatchObject({ emitted: 12, written: 12, queued: 0 })
  })

  // Requirements: D13, PRO6
  test('overlapping exports of the simple processor are serialized, and shutdown waits for them', async () => {
    const inner = new StallingExporter()
    const exporter = encoding(inner)
    const processor = new sdk.SimpleLogRecordProcessor({ exporter })
    const provider = new sdk.LoggerProvider({ processors: [processor] })
    for (const body of numbers(5)) provider.getLogger('checkout').emit({ body: `n${body}` })
    const closing = provider.shutdown()
    await turn()
    while (inner.pending !== undefined) {
      inner.complete()
      await turn()
    }
    await closing
    expect(inner.lines().map(({ message }) => message)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
    expect(inner.hasOverlapped).toBe(false)
  })
})

describe('export', () => {
  test('export calls back with 0 after the wrapped exporter accepts the records', async () => {
    const inner = new StallingExporter()
    const exporter = encoding(inner)
    const result = exported(exporter, ['a', 'b'])
    await turn()
    expect(exporter.stats()).toMatchObject({ emitted: 2, queued: 2, written: 0 })
    inner.complete()
    expect(await result).toEqual({ code: 0 })
    expect(exporter.stats()).toMatchObject({ emitted: 2, queued: 0, written: 2 })
  })

  test('export ignores the schedule delay of the wrapped exporter', async () => {
    const inner = new StallingExporter({ schedule: { delayMillis: 1_000_000 } })
    const result = exported(encoding(inner), ['a'])
    await turn()
    inner.complete()
    expect(await result).toEqual({ code: 0 })
  })

  test('export calls back with 1 and the counts of its own records when some of them are not delivered', async () => {
    const inner = new ScriptedExporter({ delivery: { maxExportBatchSize: 2 } })
    const answers = [
      { status: 'accepted' },
      { status: 'rejected', accepted: 1, reason: 'rejected' },
      { status: 'unknown', accepted: 0 },
      { status: 'retryable', accepted: 0 },
    ]
    // The default is the response to the drop report.
    inner.respond = () => answers.shift() ?? { status: 'accepted' }
    const exporter = encoding(inner)
    const [first, second, third] = await Promise.all([
      exported(exporter, ['a', 'b']),
      exported(exporter, ['c', 'd']),
      exported(exporter, ['e', 'f', 'g', 'h']),
    ])
    expect(first).toEqual({ code: 0 })
    expect(second).toEqual({ code: 1, error: new Error('of 2 records, 1 was lost (1 rejected)') })
    expect(third).toEqual({
      code: 1,
      error: new Error('of 4 records, 2 were lost (2 retry_exhausted), 2 may have arrived'),
    })
    expect(exporter.stats()).toMatchObject({
      written: 3,
      unknown: 2,
      queued: 0,
      dropped: { total: 3, byReason: { rejected: 1, retry_exhausted: 2 } },
    })
  })

  // Requirements: EXP1
  test('export calls back after timeoutMillis, and records delivered later count as written', async () => {
    const inner = new StallingExporter()
    const exporter = encoding(inner, { timeoutMillis: 5 })
    expect(await exported(exporter, ['a'])).toEqual({ code: 1, error: new Error('of 1 record, 1 is still queued') })
    inner.complete()
    await exporter.forceFlush()
    expect(exporter.stats()).toMatchObject({ written: 1, queued: 0 })
  })

  test('export calls back with 1 when its records exceed the queue', async () => {
    const inner = new StallingExporter({ delivery: { maxQueueSize: 3, onFull: 'dropNewest' } })
    const exporter = encoding(inner)
    const result = exported(exporter, numbers(5))
    await turn()
    inner.complete()
    await turn()
    expect(await result).toEqual({ code: 1, error: new Error('of 5 records, 2 were lost (2 queue_full)') })
    expect(exporter.stats().dropped.byReason.queue_full).toBe(2)
    // The export of the drop report.
    await turn()
    inner.complete()
  })

  test('export calls back with 0 when the level of the exporter filters out the records', async () => {
    const memory = memoryExporter({ level: 'warn' })
    expect(await exported(encoding(memory), ['a'])).toEqual({ code: 0 })
    expect(memory.records).toEqual([])
  })

  // Requirements: D5
  test('a change of a body after the export call does not affect the exported record', async () => {
    const inner = new StallingExporter()
    const body = { state: 'original' }
    const result = exported(encoding(inner), [body])
    body.state = 'changed'
    await turn()
    inner.complete()
    await result
    expect(inner.lines()[0].message).toBe('{"state":"original"}')
  })

  test('export of an empty array calls back with 0', async () => {
    expect(await exported(encoding(memoryExporter()), [])).toEqual({ code: 0 })
  })

  // Requirements: D12, ERR1
  test('export does not throw for records that cannot be read or for a callback that throws', async () => {
    const exporter = encoding(memoryExporter())
    const results: OtelExportResult[] = []
    for (const given of [undefined, null, 5, [undefined], [Object.defineProperty({}, 'body', { get: thrower })]]) {
      exporter.export(given as never, (result) => {
        results.push(result)
        throw new Error('no')
      })
    }
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 1, 1])
    expect(results[4]!.error!.message).toBe('of 1 record, 1 was lost (1 not_encoded)')
  })

  // Requirements: EXP2
  test('export after shutdown calls back with an error', async () => {
    const memory = memoryExporter()
    const exporter = encoding(memory)
    expect(await exported(exporter, ['a'])).toEqual({ code: 0 })
    await exporter.shutdown()
    expect(await exported(exporter, ['b'])).toEqual({ code: 1, error: new Error('the exporter is shut down') })
    expect(memory.records).toHaveLength(1)
  })

  // Requirements: EXP2
  test('records exported during or after shutdown count as dropped, even if they are invalid', async () => {
    const memory = memoryExporter({ level: 'info' })
    const exporter = encoding(memory)
    await exported(exporter, ['a'])
    const closing = exporter.shutdown()
    const answers: OtelExportResult[] = []
    const thrower = Object.defineProperty({}, 'severityNumber', {
      get() {
        throw new Error('no')
      },
    })
    const late = [...records(['b']), { ...records(['c'])[0]!, severityNumber: 17 }, thrower, null]
    exporter.export(late as never, (answer) => answers.push(answer))
    await closing
    exporter.export(records(['d']), (answer) => answers.push(answer))
    exporter.export(undefined as never, (answer) => answers.push(answer))
    const failure = { code: 1, error: new Error('the exporter is shut down') }
    expect(answers).toEqual([failure, failure, failure])
    // Records that are dropped during the shutdown are reported in a drop report.
    expect(memory.records.map(({ message }) => message)).toEqual(['a', '4 records were dropped'])
    const { emitted, filtered, accepted, written, queued, dropped } = exporter.stats().exporters[0]!
    expect([emitted, filtered, accepted, written, queued, dropped.total]).toEqual([7, 0, 7, 2, 0, 5])
    expect([dropped.byReason.shutdown, dropped.byLevel.info, dropped.byLevel.error]).toEqual([5, 4, 1])
  })
})

describe('forceFlush and shutdown', () => {
  // Requirements: CON1
  test('forceFlush and shutdown wait for pending records, close the exporter once and never reject', async () => {
    const inner = new StallingExporter()
    inner.flush = () => Promise.reject(new Error('no'))
    const exporter = encoding(inner)
    const result = exported(exporter, ['a'])
    const flushing = exporter.forceFlush()
    const closing = exporter.shutdown()
    expect(exporter.shutdown()).toBe(closing)
    await turn()
    inner.complete()
    await Promise.all([flushing, closing, result])
    expect(inner.shutdowns).toBe(1)
    await exporter.forceFlush()
  })

  test('export has no timeout with timeoutMillis: 0', async () => {
    const inner = new StallingExporter()
    const result = exported(encoding(inner, { timeoutMillis: 0 }), ['a'])
    await new Promise((resolve) => setTimeout(resolve, 5))
    inner.complete()
    expect(await result).toEqual({ code: 0 })
  })
})

// Requirements: FIL1
test('EncodingLogRecordExporter with fileExporter writes the lines of the OpenTelemetry File Exporter', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'encoding-exporter-'))
  try {
    const path = join(directory, 'logs.jsonl')
    const exporter = encoding(fileExporter({ path, format: 'otlpJson' }), { redact: ['card'] })
    expect(await exported(exporter, ['a', 'b'])).toEqual({ code: 0 })
    const written = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(written).toHaveLength(2)
    expect(JSON.parse(written[0]!)).toEqual({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  timeUnixNano: '1795255000123456789',
                  observedTimeUnixNano: '1795255000123456789',
                  severityNumber: 9,
                  body: { stringValue: 'a' },
                  attributes: [{ key: 'card', value: { stringValue: '[REDACTED]' } }],
                },
              ],
              scope: { name: 'checkout' },
            },
          ],
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        },
      ],
    })
  } finally {
    rmSync(directory, { recursive: true })
  }
})

describe('options', () => {
  test('invalid options throw one error that lists all of them', () => {
    const options = { exporter: {}, redact: ['a['], limits: { depth: 0 }, timeoutMillis: -1, maxQueueSize: 5 }
    expect(problemsOf(() => new EncodingLogRecordExporter(options as never))).toEqual([
      ['SLUICE_OPTION_RANGE', 'EncodingLogRecordExporter.timeoutMillis'],
      ['SLUICE_OPTION_UNKNOWN', 'EncodingLogRecordExporter.maxQueueSize'],
      ['SLUICE_PATH_SYNTAX', 'EncodingLogRecordExporter.redact[0]'],
      ['SLUICE_OPTION_RANGE', 'EncodingLogRecordExporter.limits.depth'],
      ['SLUICE_OPTION_TYPE', 'EncodingLogRecordExporter.exporter'],
    ])
  })

  test.each([undefined, {}, { exporter: null }, { exporter: [memoryExporter()] }])(
    'the options %p are rejected because they set no valid exporter',
    (options) => {
      expect(problemsOf(() => new EncodingLogRecordExporter(options as never))).toEqual([
        ['SLUICE_OPTION_TYPE', 'EncodingLogRecordExporter.exporter'],
      ])
    },
  )

  test('an exporter with a non-standard level is rejected', () => {
    const exporter = memoryExporter({ level: 'notice' })
    expect(problemsOf(() => new EncodingLogRecordExporter({ exporter }))).toEqual([
      ['SLUICE_LEVEL_UNKNOWN', 'EncodingLogRecordExporter.exporter.level'],
    ])
  })

  test('an exporter that is already in use is rejected', () => {
    const exporter = memoryExporter()
    encoding(exporter)
    const inUse = [['SLUICE_EXPORTER_IN_USE', 'exporter']]
    expect(problemsOf(() => new EncodingLogRecordExporter({ exporter }))).toEqual(inUse)
    const logged = memoryExporter()
    createLogger({ exporter: logged })
    expect(problemsOf(() => new EncodingLogRecordExporter({ exporter: logged }))).toEqual(inUse)
  })
})

function problemsOf(make: () => unknown): unknown[] {
  try {
    make()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => [code, path])
    throw error
  }
  return []
}

function thrower(): never {
  throw new Error('no')
}
