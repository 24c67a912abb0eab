import { describe, expect, test } from '@jest/globals'
import { Writable } from 'node:stream'
import winston from 'winston'
import { createLogger, format, sluiceTransport, type SluiceTransportOptions } from '../../../src/entries/winston.ts'
import type { LayoutName } from '../../../src/encode/json/layout-bases.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { withContext } from '../../../src/platform/node/with-context.ts'
import { capturingExporter, type CapturingExporter } from '../../support/files/test-logger.ts'

/** Creates a winston logger with a sluiceTransport that writes in the turn of the call. */
function winstonWith(
  options: winston.LoggerOptions,
  given: SluiceTransportOptions = {},
  layout: LayoutName = 'sluice',
): { log: winston.Logger; keeper: CapturingExporter; line(): Record<string, unknown> } {
  const keeper = capturingExporter(jsonLines(layout))
  const transport = sluiceTransport({ exporter: keeper, handleExit: false, clock: () => 0, ...given })
  const log = winston.createLogger({ level: 'silly', ...options, transports: transport })
  log.resume()
  return { log, keeper, line: () => JSON.parse(keeper.lines().at(-1)!) as Record<string, unknown> }
}

describe('the record of an info', () => {
  test('a record has the level, severity, message and members of the info, and not the formatted line', () => {
    const { log, line } = winstonWith({
      format: winston.format.combine(winston.format.colorize(), winston.format.simple()),
    })
    log.http('served', { status: 200, nested: { a: [1] } })
    expect(line()).toEqual({
      timestamp: '1970-01-01T00:00:00.000Z',
      level: 'http',
      severity_number: 7,
      message: 'served',
      attributes: { status: 200, nested: { a: [1] } },
    })
  })

  test('a record has the time of format.timestamp(), and an invalid timestamp becomes an attribute', () => {
    const { log, line } = winstonWith({ format: winston.format.timestamp() })
    log.info('m', { timestamp: '2026-11-22T10:00:00.123Z' })
    expect(line()).toEqual(expect.objectContaining({ timestamp: '2026-11-22T10:00:00.123Z' }))
    expect(line()).not.toHaveProperty('attributes')
    log.info('m', { timestamp: 'noon' })
    expect(line()).toMatchObject({ timestamp: '1970-01-01T00:00:00.000Z', attributes: { timestamp: 'noon' } })
  })

  test('printf arguments are formatted into the message with and without format.splat()', () => {
    const plain = winstonWith({ format: winston.format((info) => info)() })
    plain.log.info('%s has %d', 'ann', 3)
    expect(plain.line()).toMatchObject({ message: 'ann has 3' })
    const splat = winstonWith({ format: winston.format.splat() })
    splat.log.info('%s has %d', 'ann', 3, { extra: true })
    expect(splat.line()).toMatchObject({ message: 'ann has 3', attributes: { extra: true } })
    expect(splat.line()['attributes']).not.toHaveProperty('args')
  })

  test('arguments after the first object, which winston drops, become the attribute `args`', () => {
    const { log, line } = winstonWith({ format: winston.format.json() })
    log.info('m', { a: 1 }, 5, { b: 2 })
    expect(line()).toMatchObject({ attributes: { a: 1, args: [5, { b: 2 }] } })
  })

  test.each([
    ['given with a message', (log: winston.Logger, error: Error) => log.error('failed', error), 'failed'],
    ['by itself', (log: winston.Logger, error: Error) => log.error(error), 'no route'],
    ['as a member', (log: winston.Logger, error: Error) => log.error('failed', { err: error }), 'failed'],
  ])('an Error %s becomes the exception attributes', (_, call, message) => {
    const { log, line } = winstonWith({ format: winston.format((info) => info)() })
    const cause = new RangeError('why')
    call(log, Object.assign(new TypeError('no route', { cause }), { code: 'E_ROUTE' }))
    expect(line()).toMatchObject({
      level: 'error',
      message,
      attributes: {
        'exception.type': 'TypeError',
        'exception.message': 'no route',
        'exception.stacktrace': expect.stringContaining('Caused by: RangeError: why'),
      },
    })
  })

  test('an Error of which format.errors({ stack: true }) kept only the stack becomes the exception attributes', () => {
    const { log, line } = winstonWith({ format: winston.format.errors({ stack: true }) })
    log.error(new TypeError('no route'))
    expect(line()).toMatchObject({
      message: 'no route',
      attributes: {
        'exception.type': 'TypeError',
        'exception.stacktrace': expect.stringContaining('TypeError: no route'),
      },
    })
  })

  test('a record has the attributes of withContext', () => {
    const { log, line } = winstonWith({})
    withContext({ tenant: 'a' }, () => log.info('m'))
    expect(line()).toMatchObject({ attributes: { tenant: 'a' } })
  })
})

describe('severities of sluiceTransport', () => {
  test.each([
    ['npm', winston.config.npm.levels, { error: 17, warn: 13, info: 9, http: 7, verbose: 6, debug: 5, silly: 1 }],
    [
      'syslog',
      winston.config.syslog.levels,
      { emerg: 21, alert: 19, crit: 18, error: 17, warning: 13, notice: 10, info: 9, debug: 5 },
    ],
    ['custom', { top: 0, high: 1, mid: 2, low: 3, least: 4 }, { top: 17, high: 13, mid: 9, low: 5, least: 1 }],
  ])('%s levels are exported with their severity numbers', (_, levels, expected) => {
    const least = Object.keys(levels).at(-1)!
    const { log, keeper } = winstonWith({ levels, level: least }, {}, 'otel')
    for (const level of Object.keys(expected)) log.log(level, 'm')
    const lines = keeper.lines().map((text) => JSON.parse(text) as { severity_text: string; severity_number: number })
    expect(Object.fromEntries(lines.map((line) => [line.severity_text.toLowerCase(), line.severity_number]))).toEqual(
      expected,
    )
  })

  test('the option `severities` sets the severity of a custom level', () => {
    const { log, line } = winstonWith({ levels: { alarm: 0 }, level: 'alarm' }, { severities: { alarm: 22 } })
    log.log('alarm', 'm')
    expect(line()).toMatchObject({ level: 'alarm', severity_number: 22 })
  })
})

describe('options of sluiceTransport', () => {
  test('sluiceTransport supports the options level, silent and format', () => {
    const quiet = winstonWith({}, { level: 'warn' })
    quiet.log.info('no')
    quiet.log.warn('yes')
    expect(quiet.keeper.lines()).toHaveLength(1)
    const silent = winstonWith({}, { silent: true })
    silent.log.error('no')
    expect(silent.keeper.lines()).toEqual([])
    const changed = winstonWith({}, { format: format((info) => ({ ...info, message: 'changed' }))() })
    changed.log.info('m')
    expect(changed.line()).toMatchObject({ message: 'changed' })
  })

  test('one error lists all invalid options of sluiceTransport', () => {
    const options = { levle: 'x', severities: { a: 99 }, exporter: 1 } as never
    expect(() => sluiceTransport(options)).toThrow(/levle.*severities\.a.*/)
  })
})

describe('sluiceTransport as a stream of winston', () => {
  test('other transports of winston receive all infos while the exporter of a sluiceTransport stalls', () => {
    const others: unknown[] = []
    const stalled = {
      ...capturingExporter(),
      schedule: 'turn',
      delivery: { maxQueueSize: 100 },
      export: () => new Promise<never>(() => {}),
      exportSync: undefined,
    } as never
    const transport = sluiceTransport({ exporter: stalled, handleExit: false, onDiagnostic: () => {} })
    const log = winston.createLogger({
      transports: [
        transport,
        new winston.transports.Stream({
          stream: new Writable({ objectMode: true, write: (info, _, next) => (others.push(info), next()) }),
        }),
      ],
    })
    log.resume()
    for (let i = 0; i < 1_000; i++) log.info('m')
    expect(others).toHaveLength(1_000)
    expect(transport.writableLength).toBe(0)
    const { emitted, queued, dropped } = transport.stats()
    expect(emitted).toBe(1_000)
    expect(queued + dropped.total).toBe(1_000)
    expect(dropped.total).toBeGreaterThanOrEqual(900)
  })

  test('a winston logger emits `finish` after sluiceTransport has written all records', async () => {
    const { log, keeper } = winstonWith({}, {})
    log.info('m')
    log.end()
    await new Promise((resolve) => log.once('finish', resolve))
    expect(keeper.lines()).toHaveLength(1)
  })

  test('sluiceTransport is also a transport of `createLogger` of sluice/winston', () => {
    const keeper = capturingExporter(jsonLines())
    const log = createLogger({ transports: sluiceTransport({ exporter: keeper, handleExit: false }) })
    log.warn('%s', 'm', { a: 1 })
    expect(JSON.parse(keeper.lines()[0]!)).toMatchObject({
      level: 'warn',
      message: 'm',
      attributes: { a: 1 },
    })
  })
})
