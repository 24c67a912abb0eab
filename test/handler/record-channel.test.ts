import { afterEach, describe, expect, test } from '@jest/globals'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import * as fc from 'fast-check'
import { hasSubscribers, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createLogger as createCoreLogger } from '../../src/create/create-core-logger.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import type { PublishedRecord } from '../../src/handler/published-record.ts'
import { defineEvent } from '../../src/logger/events.ts'
import type { Logger, LoggerOptions } from '../../src/logger/types.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { canary } from '../security/fuzz/canary.ts'
import { rows } from '../security/redaction-suite/rows.ts'
import { descriptions, memberDescriptions } from '../support/values/arbitraries.ts'
import { build, buildMembers } from '../support/build.ts'

const name = 'sluice:record'
const subscribers: ((message: unknown) => void)[] = []

afterEach(() => {
  for (const subscriber of subscribers.splice(0)) unsubscribe(name, subscriber)
  context.disable()
})

function receive(subscriber: (record: PublishedRecord) => void | Promise<void>): void {
  const listener = (message: unknown) => subscriber(message as PublishedRecord)
  subscribers.push(listener)
  subscribe(name, listener)
}

/** Subscribes, and returns the records that are published from now on. */
function published(): PublishedRecord[] {
  const records: PublishedRecord[] = []
  receive((record) => void records.push(record))
  return records
}

test('a subscriber receives each emitted record as finished data', () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const records = published()
  const { log } = createTestLogger({ name: 'shop', level: 'info', attributes: { region: 'eu' } })
  const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
  context.with(trace.setSpanContext(ROOT_CONTEXT, span), () =>
    withContext({ tenant: 'acme' }, () =>
      log.child({ part: 1 }, { messagePrefix: '> ' }).warn('order {id}', { id: 7, list: [new Map([['a', 1n]])] }),
    ),
  )
  log.debug('below the level')
  defineEvent('order.placed', { level: 'info', message: 'placed' })(log, {})
  expect(records).toEqual([
    {
      time: 0,
      severity: 13,
      level: 'warn',
      body: '> order 7',
      attributes: { region: 'eu', part: 1, tenant: 'acme', id: 7, list: [{ a: 1n }] },
      eventName: undefined,
      scopeName: 'shop',
      ...span,
    },
    {
      time: 0,
      severity: 9,
      level: 'info',
      body: 'placed',
      attributes: { region: 'eu' },
      eventName: 'order.placed',
      scopeName: 'shop',
      traceId: undefined,
      spanId: undefined,
      traceFlags: undefined,
    },
  ])
})

test('an exception is published as attributes', () => {
  const records = published()
  createTestLogger().log.error('failed', new TypeError('no'))
  expect(records[0]?.attributes).toMatchObject({
    'exception.type': 'TypeError',
    'exception.message': 'no',
    'exception.stacktrace': expect.stringContaining('at '),
  })
})

test('a published record is deeply frozen and refers to no logged object', () => {
  const records = published()
  const list = [{ deep: { value: 1 } }]
  const bytes = new Uint8Array([1])
  createTestLogger({ attributes: { bound: { list } } }).log.info({ call: list, bytes, __proto__: null })
  const [record] = records
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    value instanceof Uint8Array ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  expect(isFrozen(record)).toBe(true)
  list[0]!.deep.value = 2
  bytes[0] = 2
  expect(record!.attributes).toEqual({
    bound: { list: [{ deep: { value: 1 } }] },
    call: [{ deep: { value: 1 } }],
    bytes: new Uint8Array([1]),
  })
})

test('a subscriber that changes bytes changes no later record', () => {
  const { log } = createTestLogger({ attributes: { bytes: new Uint8Array([1]) } })
  const seen: unknown[] = []
  receive(({ attributes }) => {
    const bytes = attributes['bytes'] as Uint8Array
    seen.push([...bytes])
    bytes[0] = 9
  })
  log.info('a')
  log.info('b')
  expect(seen).toEqual([[1], [1]])
})

test('a key that is named __proto__ is an ordinary attribute', () => {
  const records = published()
  createTestLogger().log.info('x', JSON.parse('{ "__proto__": { "a": 1 } }') as object)
  expect(Object.getPrototypeOf(records[0]!.attributes)).toBeNull()
  expect(Object.keys(records[0]!.attributes)).toEqual(['__proto__'])
})

describe('without a subscriber', () => {
  test('no value is read for the channel', () => {
    let reads = 0
    const records = published()
    const { log } = createTestLogger()
    const value = {
      get a() {
        return ++reads
      },
    }
    log.info('x', value)
    for (const subscriber of subscribers.splice(0)) unsubscribe(name, subscriber)
    expect(hasSubscribers(name)).toBe(false)
    log.info('y', value)
    expect(records).toHaveLength(1)
    expect(reads).toBe(2)
  })
})

test('a value is read once for the channel and for exporters of two formats', () => {
  let reads = 0
  const records = published()
  const [lines, otlp] = [capturingExporter(), capturingExporter(otlpJsonLines())]
  createLogger({ exporter: [lines, otlp], handleExit: false }).info('x', {
    get a() {
      return ++reads
    },
  })
  expect(records[0]?.attributes).toEqual({ a: 1 })
  expect(JSON.parse(lines.text())).toMatchObject({ attributes: { a: 1 } })
  expect(otlp.text()).toContain('"key":"a","value":{"intValue":"1"}')
  expect(reads).toBe(1)
})

test.each([
  ['JSON lines', jsonLines()],
  ['OTLP', otlpJsonLines()],
])('a subscriber does not change what is written as %s, nor the counts', (_, encoding) => {
  const options: LoggerOptions = {
    attributes: { region: 'eu' },
    redact: { paths: ['a', 'user.*'], keys: ['password', /^tok/], patterns: [/se[ck]ret/] },
    limits: { attributes: 5, items: 3, depth: 4, stringLength: 12 },
  }
  const write = (message: string, members: object, extra: unknown, error: Error | undefined) => {
    const { log, exporter } = createTestLogger(options, capturingExporter(encoding))
    for (const logger of [log, log.child({ part: 'x' }, { redact: { patterns: [/e+/] } })] as Logger[])
      logger.info(message, members, extra, error)
    const { emitted, written, truncated } = log.stats()
    return { text: exporter.text(), emitted, written, truncated }
  }
  const error = new Error('same')
  fc.assert(
    fc.property(
      fc.constantFrom('m', '{a} {b:json} {err}', '%s %j'),
      memberDescriptions,
      descriptions,
      fc.boolean(),
      (message, members, extra, hasError) => {
        const run = () => write(message, buildMembers(members), build(extra), hasError ? error : undefined)
        const without = run()
        const records = published()
        expect(run()).toEqual(without)
        expect(records).toHaveLength(2)
        for (const subscriber of subscribers.splice(0)) unsubscribe(name, subscriber)
      },
    ),
    { numRuns: 150 },
  )
})

test('values without a form in JSON are published as data', () => {
  const records = published()
  createTestLogger().log.info('x', {
    big: 12n,
    nan: NaN,
    infinite: -Infinity,
    missing: undefined,
    date: new Date(0),
    map: new Map([['a', 1]]),
    set: new Set([1n]),
    bytes: new Uint8Array([1, 2]),
    list: [undefined, 1n],
  })
  expect(records[0]?.attributes).toEqual({
    big: 12n,
    nan: NaN,
    infinite: -Infinity,
    date: '1970-01-01T00:00:00.000Z',
    map: { a: 1 },
    set: [1n],
    bytes: new Uint8Array([1, 2]),
    list: [null, 1n],
  })
})

test('no published record contains a value that a rule redacts', () => {
  const records = published()
  for (const row of rows) {
    const { paths, keys, always } = row.rules
    for (const redact of always === true
      ? [{}]
      : [...(paths === undefined ? [] : [{ paths }]), ...(keys === undefined ? [] : [{ keys }])])
      row.logTo(createTestLogger({ ...row.options, redact }).log)
  }
  expect(records.length).toBeGreaterThan(100)
  const text = JSON.stringify(records, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  expect(text).not.toContain(canary)
})

test('records that a handler drops or changes are published as they are written', () => {
  const records = published()
  const { log } = createTestLogger({
    handler: (next) => ({
      handle(record) {
        if (record.body === 'drop') return
        record.body = 'changed'
        next.handle(record)
      },
    }),
  })
  log.info('drop')
  log.info('x')
  expect(records.map(({ body }) => body)).toEqual(['changed'])
})

describe('a subscriber that changes the subscribers', () => {
  test('receives nothing after it has unsubscribed itself, and the others receive every record', () => {
    const { log } = createTestLogger()
    const received: string[] = []
    const once = (message: unknown) => {
      received.push(`once ${String((message as PublishedRecord).body)}`)
      unsubscribe(name, once)
    }
    subscribe(name, once)
    receive(({ body }) => void received.push(`always ${String(body)}`))
    log.info('a')
    log.info('b')
    expect(received).toEqual(['once a', 'always a', 'always b'])
  })

  test('as the last one to unsubscribe while it runs causes no error', () => {
    const { log, exporter } = createTestLogger()
    const once = () => void unsubscribe(name, once)
    subscribe(name, once)
    log.info('a')
    log.info('b')
    expect(hasSubscribers(name)).toBe(false)
    expect(exporter.lines()).toHaveLength(2)
  })

  test('and adds one causes the new one to receive later records', () => {
    const { log } = createTestLogger()
    const received: unknown[] = []
    let isAdded = false
    receive(() => {
      if (isAdded) return
      isAdded = true
      receive(({ body }) => void received.push(body))
    })
    log.info('a')
    log.info('b')
    expect(received).toEqual(['b'])
  })
})

test('a log call does not wait for an asynchronous subscriber, which then logs like other code', async () => {
  const { log, exporter } = createTestLogger()
  let calls = 0
  receive(async ({ body }) => {
    calls++
    await Promise.resolve()
    if (body === 'first') log.info('later')
  })
  log.info('first')
  expect(exporter.lines()).toHaveLength(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(exporter.lines()).toHaveLength(2)
  expect(calls).toBe(2)
})

describe('a subscriber that logs', () => {
  test('does not receive the records that it logs, which are written', () => {
    let calls = 0
    const { log, exporter } = createTestLogger()
    receive(() => {
      calls++
      log.info('from the subscriber')
    })
    log.info('first')
    log.info('second')
    expect(calls).toBe(2)
    expect(exporter.lines().map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'first',
      'from the subscriber',
      'second',
      'from the subscriber',
    ])
  })

  test('a record that a getter logs is published before the record that contains it', () => {
    const records = published()
    const { log } = createTestLogger()
    log.info('outer', {
      get a() {
        return log.info('inner')
      },
    })
    expect(records.map(({ body }) => body)).toEqual(['inner', 'outer'])
  })
})

/** Logs a value that may be over the limit on bytes. Returns how many records each exporter counts as truncated. */
function truncatedCounts(value: unknown): readonly number[] {
  const log = createLogger({
    exporter: [
      capturingExporter(),
      capturingExporter(otlpJsonLines()),
      capturingExporter(jsonLines(), { level: 'error' }),
    ],
    limits: { recordBytes: 1_100 },
    handleExit: false,
  })
  log.info('x', { value })
  return log.stats().exporters.map(({ truncated }) => truncated)
}

test('a record that is cut to the limit on bytes counts as truncated once, as without a subscriber', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<unknown>('y', '\u{1F600}', '"', 1, 1n, true, null, [], {}, [1], { a: 1 }, new Uint8Array(4)),
      fc.integer({ min: 20, max: 1_300 }),
      fc.boolean(),
      (item, size, isList) => {
        const value = typeof item === 'string' && !isList ? item.repeat(size) : Array<unknown>(size).fill(item)
        const without = truncatedCounts(value)
        const records = published()
        expect(truncatedCounts(value)).toEqual(without)
        expect(records).toHaveLength(1)
        for (const subscriber of subscribers.splice(0)) unsubscribe(name, subscriber)
      },
    ),
    { numRuns: 300 },
  )
})

test('records that a flight recorder holds are not published, also if they are written later', () => {
  const records = published()
  const { log, exporter } = createTestLogger({ level: 'info', recorder: { by: 'order' } })
  const child = log.child({ order: 7 })
  child.debug('held')
  child.error('released')
  child.debug('after the release')
  expect(exporter.lines().map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    'held',
    'released',
    'after the release',
  ])
  expect(records.map(({ body }) => body)).toEqual(['released', 'after the release'])
})

test('a logger of sluice/core publishes nothing', () => {
  const records = published()
  const memory = memoryExporter()
  createCoreLogger({ exporter: memory }).info('x')
  expect(memory.records).toHaveLength(1)
  expect(records).toEqual([])
})
