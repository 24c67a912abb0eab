import { afterEach, describe, expect, test } from '@jest/globals'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fileExporter, memoryExporter, type Exporter } from '../../../src/entries/exporters.ts'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import type { OtelExportResult, ReadableLogRecord } from '../../../src/otel/api/types.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { AnsweringExporter, StallingExporter } from '../../support/pipeline/exporters.ts'
import { lines, numbers, turn } from '../processor/lines.ts'

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

/** What `export` calls back with. */
function exported(exporter: EncodingLogRecordExporter, bodies: readonly unknown[]): Promise<OtelExportResult> {
  return new Promise((resolve) => exporter.export(records(bodies), resolve))
}

const open: EncodingLogRecordExporter[] = []

afterEach(async () => {
  for (const exporter of open.splice(0)) await exporter.shutdown()
})

function encoding(exporter: Exporter, options: object = {}): EncodingLogRecordExporter {
  const made = new EncodingLogRecordExporter({ exporter, onDiagnostic: () => {}, ...options })
  open.push(made)
  return made
}

describe.each(lines)('behind the processors of $name', (line) => {
  test('the batch processor: records arrive redacted, as they were when they were exported, and once', async () => {
    const memory = memoryExporter()
    const exporter = new EncodingLogRecordExporter({ exporter: memory, redact: ['card'] })
    const processor = new line.BatchLogRecordProcessor({ exporter, maxExportBatchSize: 5 })
    const provider = new line.LoggerProvider({ processors: [processor] })
    for (const body of numbers(12)) {
      provider.getLogger('checkout').emit({ body: `n${body}`, severityNumber: 13, attributes: { card: '4111' } })
    }
    await provider.forceFlush()
    expect(memory.records.map(({ message }) => message)).toEqual(numbers(12).map((body) => `n${body}`))
    expect(memory.records[0]).toMatchObject({ level: 'warn', attributes: { card: '[REDACTED]' } })
    await provider.shutdown()
    expect(exporter.stats()).toMatchObject({ emitted: 12, written: 12, queued: 0 })
  })

  test('D13 PRO6 the simple processor: its exports overlap, those of the exporter behind do not, and shutdown waits for all', async () => {
    const inner = new StallingExporter()
    const exporter = encoding(inner)
    const processor = new line.SimpleLogRecordProcessor({ exporter })
    const provider = new line.LoggerProvider({ processors: [processor] })
    for (const body of numbers(5)) provider.getLogger('checkout').emit({ body: `n${body}` })
    const closing = provider.shutdown()
    await turn()
    while (inner.pending !== undefined) {
      inner.answer()
      await turn()
    }
    await closing
    expect(inner.lines().map(({ message }) => message)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
    expect(inner.overlapped).toBe(false)
  })
})

describe('export', () => {
  test('calls back with 0 when the destination has the records', async () => {
    const inner = new StallingExporter()
    const exporter = encoding(inner)
    const result = exported(exporter, ['a', 'b'])
    await turn()
    expect(exporter.stats()).toMatchObject({ emitted: 2, queued: 2, written: 0 })
    inner.answer()
    expect(await result).toEqual({ code: 0 })
    expect(exporter.stats()).toMatchObject({ emitted: 2, queued: 0, written: 2 })
  })

  test('a delay of the exporter is not waited for: whoever calls has gathered records already', async () => {
    const inner = new StallingExporter({ schedule: { delayMillis: 1_000_000 } })
    const result = exported(encoding(inner), ['a'])
    await turn()
    inner.answer()
    expect(await result).toEqual({ code: 0 })
  })

  test('calls back with 1 and counts when some do not arrive, each call with its own', async () => {
    const inner = new AnsweringExporter({ delivery: { maxExportBatchSize: 2 } })
    const answers = [
      { status: 'accepted' },
      { status: 'rejected', accepted: 1, reason: 'rejected' },
      { status: 'unknown', accepted: 0 },
      { status: 'retryable', accepted: 0 },
    ]
    // The last one is for the notice of the losses.
    inner.answer = () => answers.shift() ?? { status: 'accepted' }
    const exporter = encoding(inner)
    const [first, second, third] = await Promise.all([
      exported(exporter, ['a', 'b']),
      exported(exporter, ['c', 'd']),
      exported(exporter, ['e', 'f', 'g', 'h']),
    ])
    expect(first).toEqual({ code: 0 })
    expect(second).toEqual({ code: 1, error: new Error('of 2 records 1 were lost (1 rejected)') })
    expect(third).toEqual({
      code: 1,
      error: new Error('of 4 records 2 were lost (2 retry_exhausted), 2 may have arrived'),
    })
    expect(exporter.stats()).toMatchObject({
      written: 3,
      unknown: 2,
      queued: 0,
      dropped: { total: 3, byReason: { rejected: 1, retry_exhausted: 2 } },
    })
  })

  test('EXP1 calls back after timeoutMillis, and counts what arrives later', async () => {
    const inner = new StallingExporter()
    const exporter = encoding(inner, { timeoutMillis: 5 })
    expect(await exported(exporter, ['a'])).toEqual({ code: 1, error: new Error('of 1 records 1 still wait') })
    inner.answer()
    await exporter.forceFlush()
    expect(exporter.stats()).toMatchObject({ written: 1, queued: 0 })
  })

  test('a full queue is a failure of the call that brought too much', async () => {
    const inner = new StallingExporter({ delivery: { maxQueueSize: 3, onFull: 'dropNewest' } })
    const exporter = encoding(inner)
    const result = exported(exporter, numbers(5))
    await turn()
    inner.answer()
    await turn()
    expect(await result).toEqual({ code: 1, error: new Error('of 5 records 2 were lost (2 queue_full)') })
    expect(exporter.stats().dropped.byReason.queue_full).toBe(2)
    // The notice of it.
    await turn()
    inner.answer()
  })

  test('what the level of the exporter leaves out is no failure', async () => {
    const memory = memoryExporter({ level: 'warn' })
    expect(await exported(encoding(memory), ['a'])).toEqual({ code: 0 })
    expect(memory.records).toEqual([])
  })

  test('D5 changes after the call do not show', async () => {
    const inner = new StallingExporter()
    const body = { state: 'said' }
    const result = exported(encoding(inner), [body])
    body.state = 'changed'
    await turn()
    inner.answer()
    await result
    expect(inner.lines()[0].message).toBe('{"state":"said"}')
  })

  test('no records are a success', async () => {
    expect(await exported(encoding(memoryExporter()), [])).toEqual({ code: 0 })
  })

  test('D12 ERR1 nothing throws: neither records that cannot be read, nor a callback that throws', async () => {
    const exporter = encoding(memoryExporter())
    const results: OtelExportResult[] = []
    for (const given of [undefined, null, 5, [undefined], [Object.defineProperty({}, 'body', { get: thrower })]]) {
      exporter.export(given as never, (result) => {
        results.push(result)
        throw new Error('no')
      })
    }
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 1, 1])
    expect(results[4]!.error!.message).toBe('of 1 records 1 were lost (1 not_encoded)')
  })

  test('EXP2 after shutdown it fails', async () => {
    const memory = memoryExporter()
    const exporter = encoding(memory)
    expect(await exported(exporter, ['a'])).toEqual({ code: 0 })
    await exporter.shutdown()
    expect(await exported(exporter, ['b'])).toEqual({ code: 1, error: new Error('the exporter is shut down') })
    expect(memory.records).toHaveLength(1)
  })

  test('EXP2 what comes after shutdown is counted as lost by it, whatever it is', async () => {
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
    // What is lost while it closes is told by a record of its own.
    expect(memory.records.map(({ message }) => message)).toEqual(['a', '4 records were dropped'])
    const { emitted, filtered, accepted, written, queued, dropped } = exporter.stats().exporters[0]!
    expect([emitted, filtered, accepted, written, queued, dropped.total]).toEqual([7, 0, 7, 2, 0, 5])
    expect([dropped.byReason.shutdown, dropped.byLevel.info, dropped.byLevel.error]).toEqual([5, 4, 1])
  })
})

describe('forceFlush and shutdown', () => {
  test('CON1 wait for what was exported, flush and close the exporter once, and never reject', async () => {
    const inner = new StallingExporter()
    inner.flush = () => Promise.reject(new Error('no'))
    const exporter = encoding(inner)
    const result = exported(exporter, ['a'])
    const flushing = exporter.forceFlush()
    const closing = exporter.shutdown()
    expect(exporter.shutdown()).toBe(closing)
    await turn()
    inner.answer()
    await Promise.all([flushing, closing, result])
    expect(inner.shutdowns).toBe(1)
    await exporter.forceFlush()
  })

  test('timeoutMillis 0 is no limit', async () => {
    const inner = new StallingExporter()
    const result = exported(encoding(inner, { timeoutMillis: 0 }), ['a'])
    await new Promise((resolve) => setTimeout(resolve, 5))
    inner.answer()
    expect(await result).toEqual({ code: 0 })
  })
})

test('FIL1 behind it, fileExporter writes the File Exporter’s lines', async () => {
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
  test('wrong ones throw one error that lists all of them', () => {
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
    '%p names no exporter',
    (options) => {
      expect(problemsOf(() => new EncodingLogRecordExporter(options as never))).toEqual([
        ['SLUICE_OPTION_TYPE', 'EncodingLogRecordExporter.exporter'],
      ])
    },
  )

  test('an exporter’s level is a standard one', () => {
    const exporter = memoryExporter({ level: 'notice' })
    expect(problemsOf(() => new EncodingLogRecordExporter({ exporter }))).toEqual([
      ['SLUICE_LEVEL_UNKNOWN', 'EncodingLogRecordExporter.exporter.level'],
    ])
  })

  test('an exporter serves one pipeline', () => {
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
