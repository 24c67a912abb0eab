import { expect, test } from '@jest/globals'
import { memoryExporter, type MemoryRecord } from '../../../src/entries/exporters.ts'
import { pino, type Logger, type LoggerOptions } from '../../../src/entries/pino.ts'
import { logged, Lines } from './support.ts'

test('each record is an OpenTelemetry log record, too, where there is an exporter', async () => {
  const kept = new Lines()
  const exporter = memoryExporter()
  const log = pino({ exporter, name: 'shop', customLevels: { notice: 35 }, redact: ['user.password'] }, kept)
  log.child({ tenant: 'acme' }).notice({ user: { password: 'secret' }, n: 1 }, 'order {n} of %s', 'x')
  log.error(new TypeError('broken'))
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  expect(kept.lines).toHaveLength(2)
  expect(exporter.records).toMatchObject([
    {
      level: 'notice',
      severity_number: 11,
      message: 'order {n} of x',
      'otel.scope.name': 'shop',
      attributes: { tenant: 'acme', n: 1, user: { password: '[REDACTED]' } },
    },
    {
      level: 'error',
      message: 'broken',
      attributes: { 'exception.type': 'TypeError', 'exception.message': 'broken' },
    },
  ])
})

test('a level of a name that no method can have is a record of the nearest severity', async () => {
  const exporter = memoryExporter()
  const log = pino({ exporter, customLevels: { 'very-bad': 55 } }, new Lines())
  log['very-bad']('x')
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  expect(exporter.records).toMatchObject([{ level: 'error' }])
})

test('a child that shows credential headers in its lines does not show them in log records', async () => {
  const kept = new Lines()
  const exporter = memoryExporter()
  const log = pino({ exporter }, kept)
  log.child({}, { redact: { paths: ['a'], credentialHeaders: false } }).info({ a: 1, headers: { cookie: 'x' } })
  log.child({}, { redact: ['a'] }).info({ a: 1, headers: { cookie: 'x' } })
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  const lines = kept.lines.map((line) => JSON.parse(line) as object)
  expect(lines).toMatchObject([
    { a: '[Redacted]', headers: { cookie: 'x' } },
    { a: '[Redacted]', headers: { cookie: '[REDACTED]' } },
  ])
  const redacted = { attributes: { a: '[REDACTED]', headers: { cookie: '[REDACTED]' } } }
  expect(exporter.records).toMatchObject([redacted, redacted])
})

const canary = 'tr0ub4dor'

/** What a logger's exporter has after it was used. */
async function recorded(options: LoggerOptions, use: (log: Logger) => void): Promise<readonly MemoryRecord[]> {
  const exporter = memoryExporter()
  const { log, kept } = logged({ ...options, exporter })
  use(log)
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  expect(kept.lines).toHaveLength(1)
  expect(kept.lines.join('')).not.toContain(canary)
  expect(exporter.records).toHaveLength(1)
  return exporter.records
}

const withoutPassword = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== 'pw'))
const failed = new Error(canary)

const hidden: [string, LoggerOptions, (log: Logger) => void][] = [
  ['formatters.log', { formatters: { log: withoutPassword } }, (log) => log.info({ pw: canary, n: 1 }, 'm')],
  [
    'formatters.log of a child',
    {},
    (log) => log.child({}, { formatters: { log: withoutPassword } }).info({ pw: canary, n: 1 }, 'm'),
  ],
  [
    'formatters.log that throws',
    {
      formatters: {
        log: () => {
          throw new Error('x')
        },
      },
      onDiagnostic: () => {},
    },
    (log) => log.info({ pw: canary }, 'm'),
  ],
  [
    'formatters.bindings',
    { base: { pw: canary, n: 1 }, formatters: { bindings: withoutPassword } },
    (log) => log.info('m'),
  ],
  ['a serializer of err', { serializers: { err: () => 'hidden' } }, (log) => log.info({ err: failed }, 'm')],
  [
    'a serializer of errorKey',
    { errorKey: 'failure', serializers: { failure: () => 'hidden' } },
    (log) => log.info({ failure: failed }, 'm'),
  ],
  [
    'a serializer of err where errorKey is another',
    { errorKey: 'failure', serializers: { err: () => 'hidden' } },
    (log) => log.child({ failure: failed }).info('m'),
  ],
  [
    "a child's serializer",
    {},
    (log) => log.child({ pw: canary }, { serializers: { pw: () => 'hidden' } }).info({ pw: canary }, 'm'),
  ],
  [
    "a child's serializer of err",
    {},
    (log) => log.child({}, { serializers: { err: () => 'hidden' } }).info({ err: failed }, 'm'),
  ],
  [
    'a serializer of errorKey beside a getter that throws',
    { errorKey: 'failure', serializers: { failure: () => 'hidden' }, onDiagnostic: () => {} },
    (log) => {
      const bound = Object.defineProperty({ failure: failed }, 'x', {
        enumerable: true,
        get() {
          throw new Error('x')
        },
      })
      log.child(bound).info('m')
    },
  ],
  ...(['failure.message', 'failure["message"]', 'failure.*', 'failure.**.message', 'failure'] as const).map(
    (path): [string, LoggerOptions, (log: Logger) => void] => [
      `redact: ${path}, where that is errorKey`,
      { errorKey: 'failure', redact: [path] },
      (log) => log.info({ failure: failed }, 'm'),
    ],
  ),
  [
    "a child's redact of errorKey",
    { errorKey: 'failure' },
    (log) => log.child({}, { redact: { paths: ['failure.message'] } }).info({ failure: failed }, 'm'),
  ],
  [
    'the serializer of the message',
    { serializers: { msg: (text: string) => text.replace(canary, 'hidden') } },
    (log) => log.info({ n: 1 }, `said ${canary}`),
  ],
  [
    'the serializer of the message, where messageKey is another',
    { messageKey: 'message', serializers: { message: () => 'hidden' } },
    (log) => log.info('%s', canary),
  ],
  ['redact, where the message is an object', { redact: ['pw'] }, (log) => log.info({}, { pw: canary } as never)],
  [
    'a serializer of err that returns null',
    { serializers: { err: () => null } },
    (log) => log.info({ err: failed }, 'm'),
  ],
  [
    'a serializer of err that returns nothing',
    { serializers: { err: () => undefined } },
    (log) => log.child({ err: failed }).info({ err: failed }, 'm'),
  ],
  [
    'a serializer of errorKey that returns null',
    { errorKey: 'failure', serializers: { failure: () => null } },
    (log) => log.error(failed, 'm'),
  ],
  [
    'redact by keys, where that is errorKey',
    { errorKey: 'failure', redact: { keys: ['failure'] } },
    (log) => log.info({ failure: failed }, 'm'),
  ],
]

test.each(hidden)('what the line does not show stands in no record, either: %s', async (_, options, use) => {
  expect(JSON.stringify(await recorded(options, use))).not.toContain(canary)
})

test('formatters.log is called once for the line and the record, which both say what it returns', async () => {
  let calls = 0
  const log = (object: object): object => ({ ...object, calls: ++calls })
  expect(await recorded({ formatters: { log } }, (logger) => logger.info({ n: 1 }))).toMatchObject([
    { attributes: { n: 1, calls: 1 } },
  ])
  expect(calls).toBe(1)
})

test('a formatter that logs changes nothing of the record that it is called for', async () => {
  const exporter = memoryExporter()
  const { log } = logged({
    exporter,
    formatters: {
      log(object) {
        if ('outer' in object) log.info({ inner: 1 })
        return { ...object, seen: true }
      },
    },
  })
  log.info({ outer: 1 })
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  expect(exporter.records.map(({ attributes }) => attributes)).toEqual([
    { inner: 1, seen: true },
    { outer: 1, seen: true },
  ])
})

async function made(err: (error: Error) => unknown): Promise<unknown> {
  const [record] = await recorded({ serializers: { err } }, (log) => log.info({ err: new TypeError('x') }, 'm'))
  return record!.attributes
}

test('what a serializer makes of an error stands in the record as in the line', async () => {
  expect(await made(() => null)).toEqual({ err: null })
  expect(await made(() => undefined)).toBeUndefined()
  expect(await made(() => ({ code: 5 }))).toEqual({ err: { code: 5 } })
  expect(await made(({ message }) => ({ type: 'Mine', message, stack: 'at here' }))).toMatchObject({
    'exception.type': 'Mine',
    'exception.message': 'x',
  })
})

test('a member err leaves the exception to the error that stands under errorKey', async () => {
  const failure = new RangeError('the error')
  const use = (err: unknown) => (log: Logger) => log.error({ failure, err }, 'm')
  const options = { errorKey: 'failure' }
  expect(await recorded(options, use('a text'))).toMatchObject([
    { message: 'm', attributes: { err: 'a text', 'exception.type': 'RangeError', 'exception.message': 'the error' } },
  ])
  expect(await recorded(options, use(new TypeError('another')))).toMatchObject([
    { attributes: { err: { message: 'another' }, 'exception.type': 'RangeError' } },
  ])
  expect(await recorded(options, (log) => log.child({ failure, err: 'a text' }).error('m'))).toMatchObject([
    { attributes: { err: 'a text', failure: { message: 'the error' } } },
  ])
})

test('each serializer is called once for the line and the record', async () => {
  let calls = 0
  const serializers = { n: () => ++calls, msg: (text: string) => `${text} ${++calls}` }
  expect(await recorded({ serializers }, (log) => log.info({ n: 0 }, 'm'))).toMatchObject([
    { message: 'm 2', attributes: { n: 1 } },
  ])
  expect(calls).toBe(2)
})

test('a serializer that logs elsewhere adds nothing to the record that it is called for', async () => {
  const { log: other } = logged()
  const n = (value: number): number => {
    other.info({ inner: canary }, 'other')
    return value
  }
  expect(await recorded({ serializers: { n } }, (log) => log.info({ n: 1 }, 'm'))).toMatchObject([
    { message: 'm', attributes: { n: 1 } },
  ])
})

test('a hook that changes lines is refused beside an exporter, of whose records it knows nothing', () => {
  const hooks = { streamWrite: (line: string) => line.replace(canary, '') }
  expect(() => logged({ hooks, exporter: memoryExporter() })).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ code: 'SLUICE_OPTION_CONFLICT', path: 'hooks.streamWrite' })],
    }),
  )
  expect(() => logged({ hooks })).not.toThrow()
})
