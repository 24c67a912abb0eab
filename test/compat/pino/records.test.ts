import { expect, test } from '@jest/globals'
import { memoryExporter, type MemoryRecord } from '../../../src/entries/exporters.ts'
import { pino, type Logger, type LoggerOptions } from '../../../src/entries/pino.ts'
import { logged, Lines } from './support.ts'

test('a pino logger with an exporter also exports each record as an OpenTelemetry log record', async () => {
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

test('a custom level whose name is not an identifier is exported as the nearest standard level', async () => {
  const exporter = memoryExporter()
  const log = pino({ exporter, customLevels: { 'very-bad': 55 } }, new Lines())
  log['very-bad']('x')
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  expect(exporter.records).toMatchObject([{ level: 'error' }])
})

test('credential headers are redacted in log records of a child that does not redact them in its lines', async () => {
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

/** Uses a logger and returns the records that it exported. */
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
    'a serializer of err with another errorKey',
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
    'a serializer of errorKey with a getter that throws next to the error',
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
      `redact: ${path}, with the errorKey failure`,
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
    'a serializer of the message',
    { serializers: { msg: (text: string) => text.replace(canary, 'hidden') } },
    (log) => log.info({ n: 1 }, `login of ${canary}`),
  ],
  [
    'a serializer of the message with another messageKey',
    { messageKey: 'message', serializers: { message: () => 'hidden' } },
    (log) => log.info('%s', canary),
  ],
  ['redact of a message that is an object', { redact: ['pw'] }, (log) => log.info({}, { pw: canary } as never)],
  [
    'a serializer of err that returns null',
    { serializers: { err: () => null } },
    (log) => log.info({ err: failed }, 'm'),
  ],
  [
    'a serializer of err that returns undefined',
    { serializers: { err: () => undefined } },
    (log) => log.child({ err: failed }).info({ err: failed }, 'm'),
  ],
  [
    'a serializer of errorKey that returns null',
    { errorKey: 'failure', serializers: { failure: () => null } },
    (log) => log.error(failed, 'm'),
  ],
  [
    'redact by keys, with the errorKey failure',
    { errorKey: 'failure', redact: { keys: ['failure'] } },
    (log) => log.info({ failure: failed }, 'm'),
  ],
]

test.each(hidden)('a value that is removed from the line is not in the record: %s', async (_, options, use) => {
  expect(JSON.stringify(await recorded(options, use))).not.toContain(canary)
})

test('formatters.log is called once, and its result is used for both the line and the record', async () => {
  let calls = 0
  const log = (object: object): object => ({ ...object, calls: ++calls })
  expect(await recorded({ formatters: { log } }, (logger) => logger.info({ n: 1 }))).toMatchObject([
    { attributes: { n: 1, calls: 1 } },
  ])
  expect(calls).toBe(1)
})

test('a formatter that logs does not change the record that it formats', async () => {
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

async function attributesWith(err: (error: Error) => unknown): Promise<unknown> {
  const [record] = await recorded({ serializers: { err } }, (log) => log.info({ err: new TypeError('x') }, 'm'))
  return record!.attributes
}

test('the record contains the result of the error serializer, as the line does', async () => {
  expect(await attributesWith(() => null)).toEqual({ err: null })
  expect(await attributesWith(() => undefined)).toBeUndefined()
  expect(await attributesWith(() => ({ code: 5 }))).toEqual({ err: { code: 5 } })
  expect(await attributesWith(({ message }) => ({ type: 'Mine', message, stack: 'at here' }))).toMatchObject({
    'exception.type': 'Mine',
    'exception.message': 'x',
  })
})

test('exception attributes come from the error under errorKey and not from a member err', async () => {
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

test('a serializer that logs with another logger does not change the record that it is called for', async () => {
  const { log: other } = logged()
  const n = (value: number): number => {
    other.info({ inner: canary }, 'other')
    return value
  }
  expect(await recorded({ serializers: { n } }, (log) => log.info({ n: 1 }, 'm'))).toMatchObject([
    { message: 'm', attributes: { n: 1 } },
  ])
})

test('`hooks.streamWrite` is rejected with an exporter because it would not change the exported records', () => {
  const hooks = { streamWrite: (line: string) => line.replace(canary, '') }
  expect(() => logged({ hooks, exporter: memoryExporter() })).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ code: 'SLUICE_OPTION_CONFLICT', path: 'hooks.streamWrite' })],
    }),
  )
  expect(() => logged({ hooks })).not.toThrow()
})
