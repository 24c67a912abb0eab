import { describe, expect, test } from '@jest/globals'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/create/create-logger.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import { eventKey, type EmitEvent, type EventDefinition } from '../../src/logger/events.ts'
import { emitCallKey, logCallOf, type EmitCall } from '../../src/logger/log-call.ts'
import { stateKey, type HasState } from '../../src/logger/logger-members.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import type { LoggerOptions, RootLogger, Stats } from '../../src/logger/types.ts'
import { capturingExporter } from '../support/files/test-logger.ts'

/**
 * Calls `log` on each level of a recursion until the stack overflows, several times, with levels of several sizes, so
 * that it overflows at many points. Returns how many calls returned; calls that did not even start are not counted.
 */
function overflow(log: () => void): number {
  return [163, 211, 307].reduce((sum, size) => sum + overflowBy(log, Array<number>(size).fill(0)), 0)
}

function overflowBy(log: () => void, padding: readonly number[]): number {
  let returned = 0
  let began = 0
  function down(...levels: readonly number[]): void {
    began += levels.length > 0 ? 1 : 0
    log()
    returned++
    down(...padding)
  }
  try {
    down(...padding)
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError)
  }
  expect(began - returned).toBeLessThanOrEqual(1)
  return returned
}

/** Checks the two equations of the delivery statistics, for each exporter. */
function expectBalanced(stats: Stats): void {
  for (const one of stats.exporters) {
    expect({
      ...one,
      emitted: one.accepted + one.filtered,
      accepted: one.written + one.queued + one.unknown + one.dropped.total,
    }).toEqual(one)
    expect(Object.values(one.dropped.byReason).reduce((sum, count) => sum + count, 0)).toBe(one.dropped.total)
    expect(Object.values(one.dropped.byLevel).reduce((sum, count) => sum + count, 0)).toBe(one.dropped.total)
  }
}

const value = { a: 1, toJSON: () => ({ nested: [new Date(0), new Map([['k', 1]])] }) }
class Shop extends Error {}

/** One call of each kind, because the stack overflows at a different point in each. */
const calls: readonly ((log: RootLogger) => void)[] = [
  (log) => log.info('plain'),
  (log) => log.info('with {a}', { a: 1, b: { c: [1, 2, 3] } }),
  (log) => log.info('hooks', { value }),
  (log) => log.error('failed', new Shop('x', { cause: new Error('y') })),
  (log) => log.info('%s %j', 'text', { a: { b: 1 } }),
  (log) => log.info(() => ['lazy', { a: 1 }]),
  (log) => log.warn({ secret: 1, list: new Set([1]) }, 'redacted'),
]

const died: EventDefinition = { name: 'process.died', level: 'fatal', severity: 21, message: undefined }

/** Calls that also write the queue before they return. */
const fatalCalls: readonly (readonly [string, (log: InternalMembers) => void])[] = [
  ['the method `fatal`', (log) => log.fatal('m')],
  ['a fatal event', (log) => log[eventKey](died, undefined, undefined)],
  ['a fatal call of a compat API', (log) => log[emitCallKey]('fatal', logCallOf('m'))],
]

interface InternalMembers extends RootLogger, HasState {
  readonly [eventKey]: EmitEvent
  readonly [emitCallKey]: EmitCall
}

const options: LoggerOptions = {
  redact: { paths: ['secret'], censor: () => '***' },
  serializers: { a: (any) => any },
  enrich: () => ({ enriched: 1 }),
  attributes: { bound: true },
  handleExit: false,
  onDiagnostic: () => {},
}

describe('logging on an exhausted stack', () => {
  test.each<[string, () => LoggerOptions['exporter'], LoggerOptions?]>([
    ['one exporter', () => capturingExporter()],
    ['two exporters of one format', () => [capturingExporter(), memoryExporter({ level: 'warn' })]],
    ['two formats', () => [capturingExporter(), capturingExporter(jsonLines({ constants: { second: 1 } }))]],
    ['a handler', () => capturingExporter(), { handler: (next) => ({ handle: (record) => next.handle(record) }) }],
    [
      'a handler and two formats',
      () => [capturingExporter(), capturingExporter(jsonLines({ constants: { second: 1 } }))],
      { handler: (next) => ({ handle: (record) => void [record.bound, next.handle(record)] }) },
    ],
  ])('a record lost on an exhausted stack is counted, with %s', (_, exporter, more = {}) => {
    for (const call of calls) {
      const log = createLogger({ ...options, ...more, exporter: exporter()! })
      const returned = overflow(() => call(log))
      const stats = log.stats()
      expectBalanced(stats)
      expect(stats.emitted).toBeGreaterThanOrEqual(returned)
      expect(stats.emitted - returned).toBeLessThanOrEqual(4)
      expect(stats.written).toBeGreaterThan(0)
      // The overflow leaves no state that affects the next call.
      log.flushSync()
      const before = log.stats().exporters[0]!.written
      call(log)
      expect(log.stats().exporters[0]!.written).toBe(before + 1)
    }
  })

  test.each(fatalCalls)(
    'a record is counted once if the stack is exhausted while the queue is flushed, for %s',
    (_, call) => {
      const log = createLogger({ ...options, exporter: capturingExporter() }) as InternalMembers
      // Replaced, because a recursion rarely exhausts the stack exactly there.
      Object.assign((log.child({}) as InternalMembers)[stateKey].settings.core, {
        flushSync: () => {
          throw new RangeError('Maximum call stack size exceeded')
        },
      })
      call(log)
      const stats = log.stats()
      expectBalanced(stats)
      expect(stats).toMatchObject({ emitted: 1, written: 1, dropped: { total: 0 } })
    },
  )

  test('the record after a stack overflow is complete, and user hooks run again', () => {
    const keeper = capturingExporter()
    const log = createLogger({ ...options, exporter: keeper, clock: () => 0 })
    for (const call of calls) overflow(() => call(log))
    log.flushSync()
    keeper.clear()
    log.info('m', { value, secret: 1 })
    expect(JSON.parse(keeper.text())).toMatchObject({
      message: 'm',
      attributes: {
        bound: true,
        enriched: 1,
        secret: '***',
        value: { nested: ['1970-01-01T00:00:00.000Z', { k: 1 }] },
      },
    })
  })

  test('a file contains exactly the records that are counted as written after a stack overflow', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-stack-'))
    try {
      for (const [index, call] of calls.entries()) {
        const path = join(directory, `${index}.log`)
        const log = createLogger({ ...options, exporter: fileExporter({ path }) })
        overflow(() => call(log))
        await log.shutdown()
        const stats = log.stats()
        expectBalanced(stats)
        expect(stats.queued).toBe(0)
        const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
        expect(lines.map((line) => typeof JSON.parse(line))).toEqual(Array<string>(stats.written).fill('object'))
      }
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
