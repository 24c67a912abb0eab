import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import realBunyan from 'bunyan'
import { EventEmitter } from 'node:events'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bunyan, {
  createLogger,
  levelFromName,
  Logger,
  nameFromLevel,
  resolveLevel,
  RingBuffer,
  RotatingFileStream,
  safeCycles,
  stdSerializers,
  type Stream,
} from '../../../src/entries/bunyan.ts'
import { memoryExporter } from '../../../src/entries/exporters.ts'
import { Lines } from '../pino/support.ts'
import { logged } from './support.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-bunyan-'))
  path = join(folder, 'log')
})
afterEach(() => {
  jest.useRealTimers()
  rmSync(folder, { recursive: true })
})

const messages = (text: string): string[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

describe('exports of `sluice/bunyan`', () => {
  test('`sluice/bunyan` exports every name that bunyan exports', () => {
    const theirs = Object.keys(realBunyan).filter((name) => name !== 'super_')
    expect(Object.keys(bunyan)).toEqual(expect.arrayContaining(theirs))
    expect(levelFromName).toEqual(realBunyan.levelFromName)
    expect(nameFromLevel).toEqual(realBunyan.nameFromLevel)
    expect(resolveLevel('WARN')).toBe(40)
    expect(() => resolveLevel('loud' as never)).toThrow('unknown level name: "loud"')
  })

  test('a logger is created with `new`, without `new`, or by a subclass', () => {
    class Own extends bunyan {}
    const stream = new Lines()
    for (const log of [
      new bunyan({ name: 'a', stream }),
      bunyan({ name: 'a', stream }),
      new Own({ name: 'a', stream }),
    ]) {
      expect(log).toBeInstanceOf(Logger)
      expect(log.child({ b: 1 }).constructor).toBe(log.constructor)
    }
    expect(new Own({ name: 'a', stream }).child()).toBeInstanceOf(Own)
  })

  test('the standard serializers return what those of bunyan return', () => {
    const error = Object.assign(new Error('x', { cause: () => new Error('y') }), { code: 'E', signal: 'S' })
    const request = { connection: { remoteAddress: 'a', remotePort: 1 }, method: 'GET', url: '/', headers: {} }
    for (const value of [request, { statusCode: 200, _header: 'h' }, null, undefined, 'text', {}]) {
      for (const name of ['err', 'req', 'res'] as const) {
        const theirs: (value: unknown) => unknown = realBunyan.stdSerializers[name]
        expect(stdSerializers[name](value)).toEqual(theirs(value))
      }
    }
    expect(stdSerializers.err(error)).toMatchObject({
      message: 'x',
      code: 'E',
      signal: 'S',
      stack: expect.stringContaining('Caused by: Error: y'),
    })
  })

  test('`safeCycles` replaces objects that were already visited with a marker', () => {
    const twice = { a: 1 }
    expect(JSON.stringify({ x: twice, y: twice }, safeCycles())).toBe('{"x":{"a":1},"y":"[Circular]"}')
  })
})

describe('bunyan levels', () => {
  test('`level` and `levels` read and set the levels of all streams or of one', () => {
    const streams = [
      { level: 'warn' as const, stream: new Lines(), name: 'a' },
      { level: 20, stream: new Lines() },
    ]
    const log = createLogger({ name: 'n', streams })
    expect([log.level(), log.levels(), log.levels('a'), log.debug(), log.trace()]).toEqual([
      20,
      [40, 20],
      40,
      true,
      false,
    ])
    log.levels('a', 'trace')
    log.trace('x')
    expect(streams[0]!.stream.lines).toHaveLength(1)
    expect(streams[1]!.stream.lines).toHaveLength(0)
    log.level('error')
    expect([log.level(), log.levels()]).toEqual([50, [50, 50]])
    expect(() => log.levels('b')).toThrow('no stream with name "b"')
    expect(() => log.levels(7)).toThrow('invalid stream index: 7')
  })

  test('a level set on a child does not change the level of its parent', () => {
    const { log, kept } = logged()
    const child = log.child({ level: 'debug', part: 'p' })
    child.debug('x')
    log.debug('y')
    expect(kept.lines).toHaveLength(1)
    expect(kept.last).toMatchObject({ part: 'p', msg: 'x', level: 20 })
  })
})

describe('bunyan child loggers', () => {
  test('a child adds serializers and streams to those of its parent', () => {
    const { log, kept } = logged({ serializers: { a: () => 'A' } })
    const more = new Lines()
    const child = log.child({ serializers: { b: () => 'B' }, streams: [{ stream: more }], a: 1, b: 2 })
    child.info({ a: 3 })
    expect(kept.last).toMatchObject({ a: 'A', b: 'B' })
    expect(more.lines).toEqual(kept.lines)
  })

  test('a simple child does not serialize its fields and shares the streams of its parent', () => {
    const { log, kept } = logged({ serializers: { a: () => 'A' } })
    const child = log.child({ a: 1 }, true)
    child.info('x')
    expect(kept.last).toMatchObject({ a: 1 })
    expect(child.streams).toBe(log.streams)
  })
})

describe('bunyan streams', () => {
  test('a RingBuffer keeps the last records', () => {
    const ring = new RingBuffer({ limit: 2 })
    const log = createLogger({ name: 'n', streams: [{ type: 'raw', level: 'trace', stream: ring }] })
    for (const message of ['a', 'b', 'c']) log.trace(message)
    expect(ring.records).toMatchObject([{ msg: 'b', level: 10 }, { msg: 'c' }])
    ring.end()
    expect(() => ring.write({})).toThrow('RingBuffer has been ended already')
  })

  test('a text stream added to a parent receives the lines of its existing simple children', () => {
    const log = createLogger({ name: 'n', streams: [{ type: 'raw', stream: new RingBuffer({ limit: 1 }) }] })
    const child = log.child({ a: 1 }, true)
    child.info('x')
    const kept: unknown[] = []
    log.addStream({ stream: { write: (line: unknown) => kept.push(line) } })
    child.info('y')
    expect(kept).toEqual([expect.stringContaining('"msg":"y"')])
  })

  test('a logger emits the errors of a stream that has `reemitErrorEvents`', () => {
    const stream = Object.assign(new EventEmitter(), { write: () => true })
    const log = createLogger({
      name: 'n',
      streams: [{ stream, reemitErrorEvents: true, name: 's' }],
      onDiagnostic: () => {},
    })
    stream.emit('error', new Error('no listener'))
    const errors: unknown[] = []
    log.on('error', (error, { name }: Stream) => errors.push([(error as Error).message, name]))
    stream.emit('error', new Error('no'))
    expect(errors).toEqual([['no', 's']])
  })

  test('`reopenFileStreams` opens a new file after the log file was renamed', async () => {
    writeFileSync(path, '')
    const log = createLogger({ name: 'n', streams: [{ path }] })
    log.info('a')
    await log.flush()
    renameSync(path, `${path}.old`)
    log.reopenFileStreams()
    log.info('b')
    await log.flush()
    expect(messages(readFileSync(`${path}.old`, 'utf8'))).toEqual(['a'])
    expect(messages(readFileSync(path, 'utf8'))).toEqual(['b'])
  })

  test('a rotating file continues when rotation fails and does not throw without an error listener', () => {
    const stream = new RotatingFileStream({ path, period: '1d' })
    const log = createLogger({ name: 'n', streams: [{ type: 'raw', stream: { write: () => true } }, { stream }] })
    log.info('before')
    stream.flush()
    // A file cannot be renamed over a folder, so rotation fails.
    writeFileSync(`${path}.8`, '')
    mkdirSync(`${path}.9`)
    expect(() => stream.rotate()).not.toThrow()
    const errors: unknown[] = []
    stream.on('error', (error) => errors.push(error))
    stream.rotate()
    expect(errors).toHaveLength(1)
    log.info('after')
    stream.end()
  })

  test.each([0, 1])('a rotating stream leaves a pipe in place and emits an error when `count` is %s', (count) => {
    execFileSync('mkfifo', [path])
    const reader = openSync(path, 'r+')
    const stream = new RotatingFileStream({ path, period: '1d', count })
    const errors: Error[] = []
    stream.on('error', (error: Error) => errors.push(error))
    stream.rotate()
    expect(lstatSync(path).isFIFO()).toBe(true)
    expect(existsSync(`${path}.0`)).toBe(false)
    expect(errors.map(({ message }) => message)).toEqual([
      `${path} is not a regular file of this log, so the log is not rotated`,
    ])
    stream.end()
    closeSync(reader)
  })

  test('a rotating file is rotated at UTC period boundaries, and `count` old files are kept', async () => {
    jest.useFakeTimers({
      now: Date.UTC(2026, 0, 30, 12),
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'],
    })
    writeFileSync(path, '{"msg":"older"}\n')
    utimesSync(path, new Date(Date.UTC(2026, 0, 29)), new Date(Date.UTC(2026, 0, 29)))
    const log = createLogger({ name: 'n', streams: [{ type: 'rotating-file', path, period: '1d', count: 2 }] })
    log.info('first')
    jest.advanceTimersByTime(11 * 3_600_000)
    log.info('second')
    jest.advanceTimersByTime(3_600_000)
    log.info('third')
    jest.useRealTimers()
    await log.flush()
    expect(messages(readFileSync(path, 'utf8'))).toEqual(['third'])
    expect(messages(readFileSync(`${path}.0`, 'utf8'))).toEqual(['first', 'second'])
    expect(messages(readFileSync(`${path}.1`, 'utf8'))).toEqual(['older'])
    expect(existsSync(`${path}.2`)).toBe(false)
  })
})

test('a logger without streams exports records at or above its level', async () => {
  const exporter = memoryExporter()
  const log = createLogger({ name: 'n', streams: [], exporter, level: 'warn' })
  log.info('no')
  log.warn('yes')
  log.child({ a: 1 }).error('yes')
  await log.flush()
  expect(exporter.records.map(({ level }) => level)).toEqual(['warn', 'error'])
})

test('a bunyan logger with an exporter also exports each record as an OpenTelemetry log record', async () => {
  const exporter = memoryExporter()
  const { log, kept } = logged({ exporter, redact: ['user.password'] })
  log.child({ tenant: 'acme' }).warn({ user: { password: 'secret' } }, 'order {n} of %s', 'x')
  log.error(new TypeError('broken'))
  await log.flush()
  expect(kept.lines).toHaveLength(2)
  expect(exporter.records).toMatchObject([
    {
      level: 'warn',
      message: 'order {n} of x',
      'otel.scope.name': 'test',
      attributes: { tenant: 'acme', user: { password: '[REDACTED]' } },
    },
    { level: 'error', message: 'broken', attributes: { 'exception.type': 'TypeError' } },
  ])
})

test('an exported record contains the result of a custom `err` serializer and not the Error', async () => {
  const exporter = memoryExporter()
  const { log, kept } = logged({ exporter, serializers: { err: () => 'hidden' } })
  log.error(new Error('canary'), 'one')
  log.error({ err: new Error('canary') }, 'two')
  await log.flush()
  expect(kept.lines.join('')).not.toContain('canary')
  expect(exporter.records).toMatchObject([{ attributes: { err: 'hidden' } }, { attributes: { err: 'hidden' } }])
  expect(JSON.stringify(exporter.records)).not.toContain('canary')
})

describe('invalid bunyan options', () => {
  test('one error lists all invalid options with what to do', () => {
    const make = (): unknown =>
      createLogger({
        level: 'loud' as never,
        serializers: { a: 1 as never },
        redact: ['a b['],
        onDiagnostic: 5,
        streams: [
          { type: 'syslog' },
          { type: 'rotating-file', path, period: '1x', count: -1, gzip: true } as Stream,
          { type: 'raw', stream: {} as never },
        ],
      } as never)
    expect(make).toThrow(
      expect.objectContaining({
        problems: [
          ['name', /required/],
          ['level', /trace, debug/],
          ['streams[0].type', /raw/],
          ['streams[1].period', /1d/],
          ['streams[1].count', /0 or more/],
          ['streams[1].gzip', /fileExporter/],
          ['streams[2].stream', /not writable/],
          ['serializers.a', /function/],
          ['onDiagnostic', /function/],
          ['redact[0]', /./],
        ].map(([at, text]) => expect.objectContaining({ path: at, message: expect.stringMatching(text as RegExp) })),
      }),
    )
    expect(existsSync(path)).toBe(false)
  })

  test.each<[string, () => unknown]>([
    ['missing options', () => createLogger(undefined as never)],
    ['both `stream` and `streams`', () => createLogger({ name: 'n', stream: new Lines(), streams: [] })],
    ['a name for a child', () => logged().log.child({ name: 'other' })],
    ['redaction rules for a child', () => logged().log.child({ redact: ['a'] })],
    ['a stream without a type', () => logged().log.addStream({})],
    ['a serializer that is not a function', () => logged().log.addSerializers({ a: 'b' as never })],
    ['a parent that is not a logger', () => new Logger({ name: 'n' }, { a: 1 })],
  ])('a SLUICE_CONFIG error is thrown for %s', (_, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'SLUICE_CONFIG' }))
  })
})
