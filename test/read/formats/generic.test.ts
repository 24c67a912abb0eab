import { describe, expect, test } from '@jest/globals'
import { attributesOf, recordOf } from './read-line.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'

describe('JSON lines of other loggers', () => {
  test.each([
    [
      'zap',
      '{"level":"info","ts":1795254963.1235,"logger":"db","caller":"a.go:1","msg":"m","a":1}',
      1_795_254_963_123.5,
    ],
    ['zerolog', '{"level":"warn","time":"2026-11-21T10:56:03+01:00","message":"m","a":1}', 1_795_254_963_000],
    ['slog', '{"time":"2026-11-21T09:56:03.123456789Z","level":"ERROR","msg":"m","a":1}', 1_795_254_963_123.456_8],
    ['logrus', '{"a":1,"level":"panic","msg":"m","time":"2026-11-21T09:56:03Z"}', 1_795_254_963_000],
    [
      'structlog',
      '{"a":1,"event":"m","level":"critical","timestamp":"2026-11-21T09:56:03.123456Z"}',
      1_795_254_963_123.456,
    ],
    [
      'Logback',
      '{"@timestamp":"2026-11-21T09:56:03.123Z","@version":"1","message":"m","logger_name":"a.B","level":"DEBUG","a":1}',
      1_795_254_963_123,
    ],
    ['Serilog', '{"@t":"2026-11-21T09:56:03.1230000Z","@m":"m","@l":"Warning","a":1}', 1_795_254_963_123],
    [
      'bole',
      '{"time":"2026-11-21T09:56:03.123Z","hostname":"h","pid":1,"level":"info","name":"n","message":"m","a":1}',
      1_795_254_963_123,
    ],
    [
      'GELF',
      '{"version":"1.1","host":"h","short_message":"m","timestamp":1795254963.123,"level":3,"a":1}',
      1_795_254_963_123,
    ],
  ])('a line of %s is read', (_, line, time) => {
    const record = recordOf(line)
    expect(record).toMatchObject({ message: 'm' })
    expect(record.severityNumber).toBeGreaterThan(0)
    expect(record.time).toBeCloseTo(time, 2)
    expect(attributesOf(record)).toMatchObject({ a: 1 })
  })

  test.each([['message'], ['msg'], ['text'], ['event'], ['body'], ['log']])('the member %s is the message', (name) => {
    expect(recordOf({ [name]: 'm', x: 1 })).toMatchObject({ format: 'json', message: 'm' })
  })

  test.each([['level'], ['severity'], ['lvl'], ['loglevel'], ['log.level']])('the member %s is the level', (name) => {
    expect(recordOf({ x: 1, [name]: 'Warn' })).toMatchObject({
      level: 'warn',
      severityNumber: 13,
      severityText: 'Warn',
    })
  })

  test('a negative number is not a level, and is kept as an attribute', () => {
    const record = recordOf({ level: -5, msg: 'm' })
    expect(record).toMatchObject({ level: '', severityNumber: 0 })
    expect(attributesOf(record)).toEqual({ level: -5 })
  })

  test.each([
    [{ level: 0, time: 1_795_254_963_123, pid: 1, hostname: 'h', msg: 'm' }],
    [{ level: '0', time: 1_795_254_963_123, pid: 1, hostname: 'h', msg: 'm' }],
  ])('the level 0 of pino, which has no name, is kept as an attribute: %j', (line) => {
    const record = recordOf(line)
    expect(record).toMatchObject({ format: 'pino', level: '', severityNumber: 0, message: 'm' })
    expect(attributesOf(record)).toEqual({ level: line.level })
    expect(attributesOf(recordOf({ ...line, level: 1 }))).toEqual({})
  })

  test.each([['time'], ['timestamp'], ['ts'], ['@timestamp'], ['date']])('the member %s is the time', (name) => {
    expect(recordOf({ x: 1, [name]: 1_795_254_963 })).toMatchObject({ time: 1_795_254_963_000 })
  })

  test.each([
    [{ trace_id: traceId }],
    [{ traceId }],
    [{ 'trace.id': traceId }],
    [{ trace: { id: traceId } }],
    [{ traceId: '0af76519-16cd-43dd-8448-eb211c80319c' }],
    [{ trace_id: traceId.toUpperCase() }],
  ])('the trace of %j is read', (members) => {
    const record = recordOf({ msg: 'm', ...members })
    expect(record.traceId).toBe(traceId)
    expect(attributesOf(record)).toEqual({})
  })

  test('the first suitable member is the field, and the others are attributes', () => {
    const record = recordOf({
      msg: 'second',
      message: 'first',
      event: { kind: 'k' },
      time: 'soon',
      ts: 1_795_254_963,
      x: 1,
    })
    expect(record).toMatchObject({ message: 'first', time: 1_795_254_963_000 })
    expect(attributesOf(record)).toEqual({ msg: 'second', event: { kind: 'k' }, time: 'soon', x: 1 })
  })

  test('attributes of an object are attributes, and one whose name is taken stays in the object', () => {
    const record = recordOf({ msg: 'm', a: 1, attributes: { a: 2, b: { c: 3 } } })
    expect(attributesOf(record)).toEqual({ a: 1, b: { c: 3 }, attributes: { a: 2 } })
  })

  test('a body that is not a text is kept', () => {
    const record = recordOf({ level: 'info', message: { order: 1 }, x: 1 })
    expect(record).toMatchObject({ message: undefined, body: new Map([['order', 1]]) })
    expect(recordOf({ level: 'info', message: 5, x: 1 }).body).toBe(5)
  })
})

describe('exceptions of other loggers', () => {
  test.each([
    ['an object', { error: { name: 'E', message: 'no', stack: 'E: no\n    at f', code: 1 } }, { error: { code: 1 } }],
    ['dotted members', { 'error.type': 'E', 'error.message': 'no', 'error.stack': 'E: no\n    at f' }, {}],
    ['a stack as text', { stack: 'E: no\n    at f' }, {}],
    ['a text of Python', { exc_info: 'E: no\n    at f' }, {}],
  ])('are read from %s', (_, members, rest) => {
    const record = recordOf({ z: 0, level: 'error', message: 'failed', ...members })
    expect(attributesOf(record)).toEqual({
      z: 0,
      'exception.type': 'E',
      'exception.message': 'no',
      'exception.stacktrace': 'E: no\n    at f',
      ...rest,
    })
  })

  test('include the causes, with their other members', () => {
    const inner = { name: 'C2', message: 'two', code: 2 }
    const cause = { name: 'C1', message: 'one', stack: 'C1: one\n    at g', code: 1, cause: inner }
    const record = recordOf({ msg: 'm', err: { type: 'E', message: 'no', stack: 'E: no\n    at f', cause } })
    expect(attributesOf(record)).toEqual({
      'exception.type': 'E',
      'exception.message': 'no',
      'exception.stacktrace': 'E: no\n    at f\nCaused by: C1: one\n    at g\nCaused by: C2: two',
      err: { cause: { code: 1, cause: { code: 2 } } },
    })
  })

  test('include a cause only once', () => {
    const stack = 'E: no\n    at f\nCaused by: C: one\n    at g'
    const cause = { name: 'C', message: 'one', stack: 'C: one\n    at g' }
    const record = recordOf({ msg: 'm', err: { message: 'no', stack, cause } })
    expect(record.attributes.get('exception.stacktrace')).toBe(stack)
    expect(record.attributes.has('err')).toBe(false)
  })

  test('are not made of a text or of an object without a message and a stack', () => {
    expect(attributesOf(recordOf({ msg: 'm', err: 'text', error: { code: 5 } }))).toEqual({
      err: 'text',
      error: { code: 5 },
    })
  })
})
