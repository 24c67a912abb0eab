import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import type { Encoding, Format } from '../../src/encode/encoding.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { pretty } from '../../src/exporters/pretty-encoding.ts'
import type { ExporterStats } from '../../src/logger/types.ts'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'

const encodings = {
  json: () => jsonLines(),
  otel: () => jsonLines('otel'),
  pretty: () => pretty({ colors: false }),
}

function loggerTo(exporters: readonly AcceptingExporter[], options: object = {}) {
  return createLogger({
    exporter: exporters,
    onDiagnostic: () => {},
    handleExit: false,
    clock: () => 0,
    level: 'trace',
    ...options,
  })
}

function sums({ emitted, accepted, filtered, written, queued, unknown, dropped }: ExporterStats): void {
  expect(emitted).toBe(accepted + filtered)
  expect(accepted).toBe(written + queued + unknown + dropped.total)
}

describe.each([
  ['of one format', ['json', 'json', 'json']],
  ['of several formats', ['json', 'pretty', 'otel']],
  ['of two formats, one of them twice', ['json', 'pretty', 'json']],
] as const)('exporters %s', (_, names) => {
  const make = () => names.map((name) => new AcceptingExporter({ encoding: encodings[name](), schedule: 'sync' }))

  test('several exporters run user code once for each record', () => {
    const exporters = make()
    const calls: string[] = []
    const log = loggerTo(exporters, {
      serializers: { order: (value: unknown) => (calls.push('serializer'), value) },
      enrich: () => (calls.push('enrich'), { by: 'enrich' }),
      redact: { paths: ['secret'], censor: () => (calls.push('censor'), 'hidden') },
    })
    log.info('hello', {
      get got() {
        calls.push('getter')
        return 1
      },
      json: { toJSON: () => (calls.push('toJSON'), 2) },
      order: { id: 3 },
      secret: 'hunter2',
    })
    expect(calls.toSorted()).toEqual(['censor', 'enrich', 'getter', 'serializer', 'toJSON'])
    for (const { accepted } of exporters) {
      expect(accepted).toHaveLength(1)
      expect(accepted[0]).toMatch(/hello/)
      expect(accepted[0]).toMatch(/hidden/)
      expect(accepted[0]).not.toMatch(/hunter2/)
    }
  })

  test('each of several exporters receives the line that it would receive alone', () => {
    const exporters = make()
    const record = [
      'order {id} of %s',
      { id: 42, deep: { list: [1, 'é', null], when: new Date(0) }, err: undefined },
    ] as const
    loggerTo(exporters).warn(...record)
    names.forEach((name, index) => {
      const alone = new AcceptingExporter({ encoding: encodings[name](), schedule: 'sync' })
      loggerTo([alone]).warn(...record)
      expect(exporters[index]!.accepted).toEqual(alone.accepted)
    })
  })

  test('exporters have separate levels and statistics, and no user code runs for a record that all of them filter', () => {
    const levels = ['warn', 'error', 'trace']
    const exporters = names.map(
      (name, index) =>
        new AcceptingExporter({ encoding: encodings[name](), schedule: 'sync', delivery: { level: levels[index]! } }),
    )
    const log = loggerTo(exporters.slice(0, 2))
    let calls = 0
    const counting = () => ({ a: { toJSON: () => calls++ } })
    for (const level of ['debug', 'info', 'warn', 'error', 'error'] as const) log[level]('x', counting())
    expect(calls).toBe(3)
    const [first, second] = log.stats().exporters
    expect(first).toMatchObject({ emitted: 5, filtered: 2, accepted: 3, written: 3 })
    expect(second).toMatchObject({ emitted: 5, filtered: 3, accepted: 2, written: 2 })
    expect(log.stats()).toMatchObject({ emitted: 5, written: 5 })
  })

  test('a record that exhausts the stack is counted once for each exporter, at every depth', () => {
    const exporters = make()
    const log = loggerTo(exporters)
    const deep = (): void => {
      log.info('deep', { a: { b: [1, 2, 3] } })
      deep()
    }
    expect(deep).toThrow(RangeError)
    log.info('shallow')
    const { exporters: stats } = log.stats()
    for (const each of stats) sums(each)
    expect(new Set(stats.map(({ emitted }) => emitted)).size).toBe(1)
    exporters.forEach(({ accepted }, index) => expect(accepted).toHaveLength(stats[index]!.written))
  })
})

/** A format whose encoder throws, as one does on an exhausted stack. */
function failing(key: string): Encoding {
  const format: Format = {
    key,
    target: undefined,
    encoder: () => ({
      encode: () => {
        throw new RangeError('Maximum call stack size exceeded')
      },
    }),
  }
  return format
}

describe('records that cannot be encoded', () => {
  test('a record that cannot be encoded is counted as not_encoded by its level', () => {
    const log = loggerTo([new AcceptingExporter({ encoding: failing('broken') })])
    log.info('a')
    log.error('b')
    log.error('c')
    const [stats] = log.stats().exporters
    sums(stats!)
    expect(stats).toMatchObject({ emitted: 3, accepted: 3, queued: 0 })
    expect(stats!.dropped).toMatchObject({ total: 3, byReason: { not_encoded: 3 }, byLevel: { info: 1, error: 2 } })
  })

  test('a record that one format cannot encode is dropped by its exporters and written by the others', () => {
    const fine = new AcceptingExporter({ schedule: 'sync' })
    const broken = [1, 2].map(() => new AcceptingExporter({ encoding: failing('broken'), schedule: 'sync' }))
    const log = loggerTo([broken[0]!, fine, broken[1]!])
    log.info('a')
    const [first, second, third] = log.stats().exporters
    expect(first!.dropped.byReason.not_encoded).toBe(1)
    expect(second).toMatchObject({ written: 1, dropped: { total: 0 } })
    expect(third!.dropped.byReason.not_encoded).toBe(1)
    expect(fine.accepted).toHaveLength(1)
  })
})
