import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, test } from '@jest/globals'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { logger } from '../../src/create/default-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'

const line = (message: string, more = ''): string =>
  `{"timestamp":"2000-01-01T00:00:00.000Z","level":"info","message":"${message}"${more}}`

test('a parsed record is available when the log call returns', () => {
  const logs = captureLogs({ name: 'shop', version: '1.2' })
  logs.logger.info('order {id} placed', { id: 7 })
  expect(logs.records).toEqual([
    {
      level: 'info',
      severity: 9,
      message: 'order 7 placed',
      attributes: { id: 7 },
      scopeName: 'shop',
      scopeVersion: '1.2',
      droppedAttributes: 0,
      time: Date.parse('2000-01-01T00:00:00Z'),
      line: line('order 7 placed', ',"otel.scope.name":"shop","otel.scope.version":"1.2","attributes":{"id":7}'),
    },
  ])
})

test('the exception of a captured record is separate from the attributes', () => {
  const logs = captureLogs()
  logs.logger.error('failed', new RangeError('no'), { id: 7 })
  const [{ attributes, error }] = logs.records as [(typeof logs.records)[0]]
  expect(attributes).toEqual({ id: 7 })
  expect(error).toMatchObject({ type: 'RangeError', message: 'no' })
  expect(error!.stacktrace).toContain('capture-logs.test.ts')
})

test('a captured record has the ids of the span, the event name and the number of dropped attributes', () => {
  const logs = captureLogs({ limits: { attributes: 1 } })
  const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
  const log = logs.logger.child({}, { context: trace.setSpanContext(ROOT_CONTEXT, span) })
  defineEvent<{ a: number; b: number }>('order.placed')(log, { a: 1, b: 2 })
  expect(logs.records[0]).toMatchObject({
    eventName: 'order.placed',
    message: '',
    droppedAttributes: 1,
    ...span,
    traceFlags: '01',
  })
})

test('captureLogs captures all levels by default, and custom levels have their severity number', () => {
  const logs = captureLogs({ levels: { notice: 10 } })
  logs.logger.trace('a')
  logs.logger.notice('b')
  expect(logs.records.map(({ level, severity }) => [level, severity])).toEqual([
    ['trace', 1],
    ['notice', 10],
  ])
  expect(logs.at('notice')).toHaveLength(1)
  const few = captureLogs({ level: 'warn' })
  few.logger.info('c')
  expect(few.records).toEqual([])
})

test('captured records are redacted and limited', () => {
  const logs = captureLogs({ redact: ['card.number'], limits: { stringLength: 12 } })
  logs.logger.info('{card}', { card: { number: '4111', type: 'visa or another' } })
  const [record] = logs.records
  expect(record!.attributes).toEqual({ card: { number: '[REDACTED]', type: expect.stringMatching(/^v.*…\[/) } })
  expect(record!.line).not.toContain('4111')
})

test('a captured record can have attributes with any name', () => {
  const logs = captureLogs()
  const hostile = JSON.parse('{"__proto__":1,"constructor":2,"exception.kind":3}') as object
  logs.logger.info('a', hostile)
  expect(Object.keys(logs.records[0]!.attributes)).toEqual(['__proto__', 'constructor', 'exception.kind'])
})

test('a record logged by a getter is captured before the record with the getter', () => {
  const logs = captureLogs()
  logs.logger.info('outer', {
    get a() {
      return logs.logger.info('inner')
    },
  })
  expect(logs.records.map(({ message }) => message)).toEqual(['inner', 'outer'])
})

test('captured records have the time of the `clock` option', () => {
  const clock = manualClock(0)
  const logs = captureLogs({ clock })
  logs.logger.info('a')
  clock.advance(1_500)
  logs.logger.info('b')
  expect(logs.records.map(({ time }) => time)).toEqual([0, 1_500])
})

test('`find` returns the first match, `filter` returns all matches, and `clear` empties the same array', () => {
  const logs = captureLogs()
  const { records } = logs
  logs.logger.info('a', { n: 1 })
  logs.logger.info('a', { n: 2 })
  expect(logs.find('a')!.attributes).toEqual({ n: 1 })
  expect(logs.filter('a')).toHaveLength(2)
  expect(logs.find('b')).toBeUndefined()
  logs.clear()
  expect(records).toEqual([])
  logs.logger.info('c')
  expect(logs.records).toBe(records)
  expect(records).toHaveLength(1)
})

test('several loggers can export to one capture with different options', () => {
  const logs = captureLogs()
  const one = createLogger({ exporter: logs.exporter(), name: 'one' })
  const other = createLogger({ exporter: [logs.exporter({ level: 'warn' }), memoryExporter()], name: 'other' })
  one.info('a')
  other.info('b')
  other.warn('c')
  expect(logs.records.map(({ scopeName, message }) => [scopeName, message])).toEqual([
    ['one', 'a'],
    ['other', 'c'],
  ])
  expect(() => logs.exporter({ maxQueueSize: 0 })).toThrow('exporter.maxQueueSize')
})

test('records of a LoggerProvider are captured through an exporter', () => {
  const logs = captureLogs()
  const provider = createLoggerProvider({ exporter: logs.exporter() })
  provider.getLogger('http').emit({ body: 'seen', severityNumber: 13 })
  expect(logs.records[0]).toMatchObject({ message: 'seen', severity: 13, scopeName: 'http' })
})

describe('captureLogs with existing loggers', () => {
  const exporter = new AcceptingExporter({ schedule: 'sync' })
  const log = createLogger({ exporter, redact: ['pin'], enrich: () => ({ by: 'enrich' }), handleExit: false })
  const before = log.child({ part: 'db' }, { redact: ['sql'] })
  const reached = (): string[] => exporter.lines().map(({ message }) => message as string)

  afterEach(() => void (exporter.accepted.length = 0))

  test('a logger and its children are captured with their own redaction rules until `restore`', () => {
    const logs = captureLogs({ from: log })
    log.info('a', { pin: 1 })
    before.info('b', { sql: 'x', pin: 1 })
    log.child({ late: true }).info('c')
    expect(reached()).toEqual([])
    expect(logs.records.map(({ attributes }) => attributes)).toEqual([
      { by: 'enrich', pin: '[REDACTED]' },
      { by: 'enrich', part: 'db', sql: '[REDACTED]', pin: '[REDACTED]' },
      { by: 'enrich', late: true },
    ])
    logs.restore()
    log.info('d')
    before.info('e')
    expect(reached()).toEqual(['d', 'e'])
    expect(logs.records).toHaveLength(3)
  })

  test('records of detached methods are captured with context attributes at the level of the logger', () => {
    const { info, debug } = log
    using logs = captureLogs({ from: [log] })
    withContext({ tenant: 't' }, () => info('a'))
    debug('b')
    expect(logs.records.map(({ message, attributes }) => [message, attributes])).toEqual([
      ['a', { by: 'enrich', tenant: 't' }],
    ])
  })

  test('captured records of an existing logger have the time of the capture clock', () => {
    using logs = captureLogs({ from: log, clock: () => 5 })
    log.info('a')
    expect(logs.records[0]!.time).toBe(5)
  })

  test('the last of two captures receives the records, in either order of `restore`', () => {
    const first = captureLogs({ from: log })
    const second = captureLogs({ from: log })
    log.info('a')
    first.restore()
    first.restore()
    log.info('b')
    second.restore()
    log.info('c')
    expect([first, second].map(({ records }) => records.map(({ message }) => message))).toEqual([[], ['a', 'b']])
    expect(reached()).toEqual(['c'])
    const third = captureLogs({ from: log })
    const fourth = captureLogs({ from: log })
    fourth.restore()
    log.info('d')
    expect(third.records).toHaveLength(1)
    third.restore()
  })

  test('captured records of an existing logger are counted as filtered', () => {
    const count = () => {
      const { emitted, accepted, filtered } = log.stats().exporters[0]!
      return { emitted, accepted, filtered }
    }
    const start = count()
    using logs = captureLogs({ from: log })
    log.info('a')
    expect(logs.records).toHaveLength(1)
    expect(count()).toEqual({ emitted: start.emitted + 1, accepted: start.accepted, filtered: start.filtered + 1 })
  })

  test('a logger with several exporters is captured, and `restore` restores their thresholds', () => {
    const exporters = [
      memoryExporter({ level: 'error' }),
      new AcceptingExporter({ schedule: 'sync' }),
      memoryExporter(),
    ]
    const many = createLogger({ exporter: exporters, handleExit: false })
    const logs = captureLogs({ from: many })
    many.error('a')
    expect(logs.records).toHaveLength(1)
    logs.restore()
    many.info('b')
    many.error('c')
    expect(
      [exporters[0], exporters[2]].map((one) => (one as ReturnType<typeof memoryExporter>).records.length),
    ).toEqual([1, 2])
  })

  test('a record of several hundred KiB is captured completely', () => {
    const large = createLogger({ exporter: memoryExporter(), limits: { recordBytes: 4 << 20 }, handleExit: false })
    using logs = captureLogs({ from: large })
    large.info('"'.repeat(1 << 18))
    expect(logs.records[0]!.message).toHaveLength(1 << 18)
  })

  test('a record is captured when the clock or a value throws', () => {
    using logs = captureLogs({
      from: log,
      clock: () => {
        throw new Error('no')
      },
    })
    log.info('a', {
      get b() {
        throw new Error('no')
      },
    })
    expect(logs.find('a')!.attributes).toMatchObject({ b: '[Threw: no]' })
  })
})

test('the default logger is captured until `restore`', () => {
  const child = logger.child({ part: 'a' })
  const logs = captureLogs({ from: logger })
  logger.warn('w')
  child.info('i')
  logs.restore()
  expect(logs.text()).toBe('warn w\ninfo i {"part":"a"}\n')
  expect(logger.stats().emitted).toBe(2)
  expect(logger.stats().exporters[0]).toMatchObject({ accepted: 0, filtered: 2 })
})

test('captureLogs adds no process listeners', () => {
  const names = ['exit', 'SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'beforeExit']
  const count = () => names.map((name) => process.listenerCount(name))
  const before = count()
  for (let i = 0; i < 100; i++) captureLogs().logger.fatal('a')
  expect(count()).toEqual(before)
})

/** Returns the problems with the options, each as `path code`. */
function problemsOf(options: object): string[] {
  try {
    captureLogs(options)
  } catch (error) {
    return (error as { problems: { path: string; code: string }[] }).problems.map(({ path, code }) => `${path} ${code}`)
  }
  return []
}

describe('validation of captureLogs options', () => {
  test('captureLogs rejects invalid logger options', () => {
    expect(problemsOf({ levle: 'info', redact: 5 })).toEqual([
      'levle SLUICE_OPTION_UNKNOWN',
      'redact SLUICE_OPTION_TYPE',
    ])
  })

  test('captureLogs rejects options that it sets itself', () => {
    expect(problemsOf({ exporter: memoryExporter(), handleExit: true })).toEqual([
      'exporter SLUICE_OPTION_UNKNOWN',
      'handleExit SLUICE_OPTION_UNKNOWN',
    ])
  })

  test('captureLogs rejects a child logger, a logger with a provider, and values that are not loggers', () => {
    const child = logger.child({})
    const front = createLogger({ provider: 'global' })
    expect(problemsOf({ from: child })).toEqual(['from SLUICE_OPTION_TYPE'])
    expect(problemsOf({ from: [logger, front, null] })).toEqual([
      'from[1] SLUICE_OPTION_TYPE',
      'from[2] SLUICE_OPTION_TYPE',
    ])
  })
})
