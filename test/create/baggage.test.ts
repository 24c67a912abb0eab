import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { context, defaultTextMapGetter, propagation, ROOT_CONTEXT, type Context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CBaggagePropagator } from '@opentelemetry/core'
import { LoggerProvider, InMemoryLogRecordExporter, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { createLogger as createCoreLogger } from '../../src/create/create-core-logger.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import type { LoggerOptions } from '../../src/logger/types.ts'
import { withContext } from '../../src/platform/node/with-context.ts'

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()))
afterAll(() => context.disable())

function logger(options: LoggerOptions) {
  const memory = memoryExporter()
  return { log: createLogger({ exporter: memory, ...options }), records: memory.records }
}

/** Returns a context with baggage. */
function baggage(entries: Readonly<Record<string, string>>): Context {
  const values = Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, { value }]))
  return propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage(values))
}

function within<T>(entries: Readonly<Record<string, string>>, fn: () => T): T {
  return context.with(baggage(entries), fn)
}

test('the option baggage copies the selected entries of the active baggage to attributes', () => {
  const { log, records } = logger({ baggage: ['tenant', 'user.*'] })
  log.info('before')
  within({ tenant: 'acme', 'user.id': '7', 'user.role': 'admin', users: 'no', 'tenant.id': 'no' }, () => {
    log.info('of {tenant}')
    within({ other: 'x' }, () => log.info('nothing selected'))
    log.child({ part: 1 }).info('child')
  })
  log.info('after')
  const selected = { tenant: 'acme', 'user.id': '7', 'user.role': 'admin' }
  expect(records.map(({ message, attributes }) => [message, attributes ?? {}])).toEqual([
    ['before', {}],
    ['of acme', selected],
    ['nothing selected', {}],
    ['child', { part: 1, ...selected }],
    ['after', {}],
  ])
})

test('a logger without the option baggage copies no entry', () => {
  const { log, records } = logger({})
  within({ tenant: 'acme' }, () => log.info('x'))
  expect(records).toHaveLength(1)
  expect(records[0]!.attributes).toBeUndefined()
})

test('the name * selects every entry', () => {
  const { log, records } = logger({ baggage: ['*'] })
  within({ a: '1', toString: '2', __proto__x: '3' }, () => log.info('x'))
  expect(records[0]?.attributes).toEqual({ a: '1', toString: '2', __proto__x: '3' })
})

test('an entry that is named like a member of Object.prototype is an ordinary attribute', () => {
  const entries = [
    ['__proto__', { value: 'p' }],
    ['constructor', { value: 'c' }],
    ['toJSON', { value: 't' }],
  ]
  const own = { getValue: () => ({ getAllEntries: () => entries }) }
  const { log, records } = logger({ baggage: ['*'] })
  log.child({}, { context: own }).info('x')
  expect(Object.entries(records[0]!.attributes!)).toEqual([
    ['__proto__', 'p'],
    ['constructor', 'c'],
    ['toJSON', 't'],
  ])
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('entries come from the own context of a child logger if it has one', () => {
  const { log, records } = logger({ baggage: ['tenant'] })
  const child = log.child({}, { context: baggage({ tenant: 'own' }) })
  within({ tenant: 'active' }, () => {
    child.info('x')
    log.info('y')
  })
  expect(records.map(({ attributes }) => attributes?.['tenant'])).toEqual(['own', 'active'])
})

describe('precedence', () => {
  const entries = { key: 'baggage' }
  test.each<[string, LoggerOptions, (log: ReturnType<typeof logger>['log']) => void]>([
    ['the call', {}, (log) => log.info('x', { key: 'other' })],
    ['the context', {}, (log) => withContext({ key: 'other' }, () => log.info('x'))],
    ['a child', {}, (log) => log.child({ key: 'other' }).info('x')],
    ['the option attributes', { attributes: { key: 'other' } }, (log) => log.info('x')],
    ['the option enrich', { enrich: () => ({ key: 'other' }) }, (log) => log.info('x')],
  ])('%s overrides an entry of baggage with the same key', (_, options, write) => {
    const { log, records } = logger({ baggage: ['*'], ...options })
    within({ ...entries, more: '1' }, () => write(log))
    expect(records[0]?.attributes).toEqual({ key: 'other', more: '1' })
  })
})

describe('redaction', () => {
  test.each<[string, LoggerOptions]>([
    ['a path', { redact: { paths: ['secret', '["user.secret"]'] } }],
    ['a key', { redact: { keys: ['secret', /secret$/] } }],
    ['a pattern', { redact: { patterns: [/canary/] } }],
  ])('a rule by %s applies to entries of baggage', (_, options) => {
    const { log, records } = logger({ baggage: ['*'], ...options })
    within({ secret: 'canary', 'user.secret': 'canary', tenant: 'acme' }, () => log.info('of {secret}'))
    expect(records[0]?.attributes?.['tenant']).toBe('acme')
    expect(JSON.stringify(records)).not.toContain('canary')
  })

  test('the rules of a child apply to entries of baggage', () => {
    const { log, records } = logger({ baggage: ['secret'] })
    within({ secret: 'canary' }, () => log.child({}, { redact: ['secret'] }).info('x'))
    expect(records).toMatchObject([{ attributes: { secret: '[REDACTED]' } }])
  })
})

test('entries over the limits are truncated or dropped and counted, and those of the call are kept', () => {
  const { log, records } = logger({ baggage: ['*'], limits: { attributes: 2, stringLength: 4 } })
  within({ a: 'acmeacmeacme', b: '1', c: '2' }, () => log.info('x', { call: 1 }))
  expect(records).toMatchObject([
    { attributes: { call: 1, a: 'acme…[+8 characters]' }, 'otel.dropped_attributes_count': 2 },
  ])
})

test('the entries of one baggage object are read only once', () => {
  let reads = 0
  const bag = { getAllEntries: () => (reads++, [['tenant', { value: 'acme' }]]) }
  const other = { getAllEntries: () => (reads++, []) }
  const { log, records } = logger({ baggage: ['tenant'] })
  const [first, second] = [bag, other].map((found) => log.child({}, { context: { getValue: () => found } }))
  for (let i = 0; i < 3; i++) {
    first!.info('x')
    second!.info('y')
  }
  expect(records.map(({ attributes }) => attributes?.['tenant'])).toEqual([
    'acme',
    undefined,
    'acme',
    undefined,
    'acme',
    undefined,
  ])
  expect(reads).toBe(2)
})

test('entries are copied for a logger of sluice/core and for one with the option provider', async () => {
  const memory = memoryExporter()
  const exporter = new InMemoryLogRecordExporter()
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  const loggers = [
    createCoreLogger({ baggage: ['tenant'], exporter: memory }),
    createLogger({ baggage: ['tenant'], provider }),
  ]
  within({ tenant: 'acme' }, () => loggers.forEach((log) => log.info('x')))
  await provider.forceFlush()
  expect(memory.records[0]?.attributes).toEqual({ tenant: 'acme' })
  expect(exporter.getFinishedLogRecords()[0]?.attributes).toMatchObject({ tenant: 'acme' })
})

describe('entries of the header baggage', () => {
  test.each<[string, string, string | undefined]>([
    ['the last of two entries with the same name', 'tenant=a,tenant=b', 'b'],
    ['the decoded value of a percent-encoded one', 'tenant=a%20b%2C%F0%9F%98%80', 'a b,\u{1F600}'],
    ['no entry whose value cannot be decoded', 'tenant=%zz', undefined],
    ['a value without its metadata and spaces', ' tenant = a ;ttl=1 ', 'a'],
    ['a value with its quotes', 'tenant="a"', '"a"'],
    ['a value near the limit of the propagator', `tenant=${'x'.repeat(4_000)}`, 'x'.repeat(4_000)],
    ['no entry of more than 4,096 characters', `tenant=${'x'.repeat(4_100)}`, undefined],
    [
      'no entry after 8,192 characters',
      `a=${'x'.repeat(4_000)},b=${'x'.repeat(4_000)},c=${'x'.repeat(200)},tenant=a`,
      undefined,
    ],
    ['[REDACTED] for a value that a rule redacts only after decoding', 'tenant=%63anary', '[REDACTED]'],
  ])('a record has %s', (_, header, expected) => {
    const { log, records } = logger({ baggage: ['tenant'], redact: { patterns: [/canary/] } })
    const received = new W3CBaggagePropagator().extract(ROOT_CONTEXT, { baggage: header }, defaultTextMapGetter)
    context.with(received, () => log.info('x'))
    expect(records).toHaveLength(1)
    expect(records[0]!.attributes?.['tenant']).toBe(expected)
  })
})

describe('invalid values of the option baggage', () => {
  test.each<[unknown, string]>([
    ['tenant', 'baggage: must be an array, not a string; write ["tenant"]'],
    [true, 'baggage: must be an array, not a boolean'],
    [[5], 'baggage[0]: must be a string, not a number'],
    [[''], 'baggage[0]: must be the name of an entry'],
    [['user.*.id'], 'baggage[0]: must be the name of an entry'],
    [
      ['a', '*x'],
      "baggage[1]: must be the name of an entry, or the beginning of names with a final *, such as 'user.*'",
    ],
    [['**'], 'baggage[0]: must be the name of an entry'],
  ])('createLogger rejects baggage: %j', (value, message) => {
    expect(() => createLogger({ baggage: value as never })).toThrow(message)
  })

  test('an empty list copies nothing', () => {
    const { log, records } = logger({ baggage: [] })
    within({ tenant: 'acme' }, () => log.info('x'))
    expect(records).toHaveLength(1)
    expect(records[0]!.attributes).toBeUndefined()
  })
})
