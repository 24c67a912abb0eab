import { describe, expect, test } from '@jest/globals'
import { setTimeout } from 'node:timers/promises'
import { defineEvent } from '../../src/logger/events.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import type { CreateHandler, HandledRecord, HandlerHost } from '../../src/handler/handler.ts'
import { budget } from '../../src/handlers/budget.ts'
import { compose } from '../../src/handlers/compose.ts'
import { dedupe } from '../../src/handlers/dedupe.ts'
import { limit } from '../../src/handlers/limit.ts'
import { keyFunction, type RecordKey } from '../../src/handlers/record-key.ts'
import { route } from '../../src/handlers/route.ts'
import { tee } from '../../src/handlers/tee.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { eachRecord } from '../support/each-record.ts'
import { createTestLogger, type ParsedLine } from '../support/files/test-logger.ts'

function throwing(): never {
  throw new Error('secret')
}

/** Creates a test logger with a handler and a manual clock that starts at 0. */
function open(handler: CreateHandler) {
  const clock = manualClock(0)
  const opened = createTestLogger({ handler, clock })
  /** Returns the lines since the last call, each as its message and the number of suppressed records. */
  function lines(): (string | readonly [string, unknown])[] {
    const parsed = opened.exporter.lines().map((line) => JSON.parse(line) as ParsedLine)
    opened.exporter.clear()
    return parsed.map(({ message = '', attributes }) => {
      const suppressed = attributes?.['sluice.suppressed']
      return suppressed === undefined ? message : [message, suppressed]
    })
  }
  return { ...opened, clock, lines, reasons: () => opened.log.stats().filteredByReason }
}

const dropping = (body: string): CreateHandler =>
  eachRecord((record, next) => record.body !== body && next.handle(record))

/** Returns a function that returns an attribute of a record, whatever its type is. */
const attribute =
  (name: string) =>
  (record: HandledRecord): string | undefined =>
    record.attributes?.[name] as string | undefined

/** Returns the messages that a handler keeps of records at different levels. */
function messagesOf(handler: CreateHandler) {
  const { log, lines } = open(handler)
  for (const level of ['info', 'warn', 'error', 'fatal', 'info', 'warn', 'error'] as const) log[level](level)
  return lines()
}

/** Returns how many of 100 equal records fit into a budget of 10,000 bytes. */
function keptOf(logOne: (log: RootLogger) => void): number {
  const { log, lines } = open(budget({ bytesPerSecond: 10_000 }))
  for (let count = 0; count < 100; count++) logOne(log)
  return lines().length
}

describe('limit', () => {
  test('the first records of a message are kept, then every n-th, which reports the suppressed ones before it', () => {
    const { log, lines, reasons } = open(limit({ first: 2, thereafter: 3 }))
    for (let item = 1; item <= 9; item++) log.info('item {item}', { item })
    expect(lines()).toEqual(['item 1', 'item 2', ['item 5', 2], ['item 8', 2]])
    expect(reasons()).toEqual({ limit: 5 })
    log.flushSync()
    expect(lines()).toEqual([['repeated 1 time in 0.0 s: item {item}', 1]])
    log.flushSync()
    expect(lines()).toEqual([])
  })

  test('a window ends with a summary before the first record of the next one', () => {
    const { log, lines, clock } = open(limit({ first: 1, windowMillis: 2_000 }))
    for (let second = 0; second < 4; second++) {
      log.info('m')
      clock.advance(600)
    }
    expect(lines()).toEqual(['m'])
    log.info('m')
    expect(lines()).toEqual([['repeated 3 times in 2.0 s: m', 3], 'm'])
  })

  test('a summary is written when the window ends, also without another record', async () => {
    const { log, exporter } = createTestLogger({ handler: limit({ first: 1, windowMillis: 40 }), clock: Date.now })
    for (let count = 0; count < 3; count++) log.child({ id: count }).info('m {n}', { n: 1 })
    await setTimeout(100)
    expect(exporter.lines()).toHaveLength(2)
    const summary = JSON.parse(exporter.lines()[1]!) as ParsedLine
    expect(summary).toMatchObject({
      level: 'info',
      message: 'repeated 2 times in 0.0 s: m {n}',
      'otel.event.name': 'sluice.records_suppressed',
      attributes: { 'sluice.suppressed': 2, 'sluice.suppressed_by': 'limit', 'sluice.duration_ms': 40 },
    })
    await setTimeout(60)
    expect(exporter.lines()).toHaveLength(2)
  })

  test('records are counted by level and by message, event or error', () => {
    const { log, lines } = open(limit({ first: 1, keepLevel: 'silent' }))
    const placed = defineEvent('order.placed')
    for (let count = 0; count < 2; count++) {
      log.info('m')
      log.debug('m')
      placed(log, { count })
      log.error(new TypeError('no'))
      log.error(new RangeError('no'))
    }
    expect(lines()).toHaveLength(5)
    log.flushSync()
    expect(lines().map(([message]) => message)).toEqual([
      'repeated 1 time in 0.0 s: m',
      'repeated 1 time in 0.0 s: m',
      'repeated 1 time in 0.0 s: order.placed',
      'repeated 1 time in 0.0 s',
      'repeated 1 time in 0.0 s',
    ])
  })

  test('warnings and errors are kept, unless keepLevel is higher', () => {
    expect(messagesOf(limit({ first: 1 })).slice(0, 4)).toEqual(['info', 'warn', 'error', 'fatal'])
    expect(messagesOf(limit({ first: 1 })).slice(-2)).toEqual(['warn', 'error'])
    expect(messagesOf(limit({ first: 1, keepLevel: 'error' })).slice(-1)).toEqual(['error'])
    expect(messagesOf(limit({ first: 1, keepLevel: 'silent' }))).toEqual(['info', 'warn', 'error', 'fatal'])
  })

  test('keys over maxKeys share one count for each level', () => {
    const { log, lines } = open(limit({ first: 1, maxKeys: 2 }))
    for (const name of ['a', 'b', 'c', 'd', 'a', 'e']) log.info(name)
    expect(lines()).toEqual(['a', 'b', 'c'])
    log.flushSync()
    expect(lines()).toEqual([
      ['repeated 1 time in 0.0 s: a', 1],
      ['suppressed 2 records in 0.0 s', 2],
    ])
  })

  test('the keys of ended windows make room for others', () => {
    const { log, lines, clock } = open(limit({ first: 1, maxKeys: 2, windowMillis: 1_000 }))
    for (let name = 0; name < 10; name++) {
      log.info(`name ${name}`)
      clock.advance(600)
    }
    expect(lines()).toHaveLength(10)
  })

  test('records without a message, an event or an error are kept', () => {
    const { log, lines } = open(compose(limit({ first: 1 }), dedupe()))
    for (let count = 0; count < 3; count++) {
      log.info({ count })
      log.info(7 as never)
    }
    expect(lines()).toHaveLength(6)
  })

  test('by can return a key of its own', () => {
    const { log, lines } = open(limit({ first: 1, by: attribute('tenant') }))
    for (const tenant of ['a', 'b', 'a', 7, 7, true, true, undefined, undefined]) log.info('m', { tenant })
    expect(lines()).toHaveLength(6)
  })

  test('an attribute of the call, or else of the logger, can be the key', () => {
    const { log, lines } = open(limit({ first: 1, by: { attribute: 'tenant' } }))
    const child = log.child({ tenant: 'a' })
    child.info('bound a')
    log.info('call a', { tenant: 'a' })
    log.info('map a', new Map([['tenant', 'a']]))
    child.info('call b', { tenant: 'b' })
    for (const tenant of [7, 7, true, true, {}, {}, null, null, undefined]) log.info('m', { tenant })
    expect(lines()).toEqual(['bound a', 'call b', ...Array.from({ length: 7 }, () => 'm')])
    const routed = open(route({ attribute: 'tenant' }, { a: dropping('m'), 7: dropping('m') }))
    for (const tenant of ['a', 7, 'b', 'toString', undefined]) routed.log.child({ tenant }).info('m')
    expect(routed.lines()).toHaveLength(3)
  })

  test.each<[string, unknown]>([
    ['an object', {}],
    ['an array', ['a']],
    ['null', null],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['a promise that rejects', Promise.reject(new Error('no'))],
  ])('a record whose key is %s is written, and the mistake is reported', (_case, key) => {
    const { log, lines, diagnostics } = open(limit({ first: 1, by: (() => key) as never }))
    log.info('a')
    log.info('a')
    expect(lines()).toEqual(['a', 'a'])
    expect(diagnostics).toEqual([
      { code: 'SLUICE_HANDLER_FAILED', message: expect.stringMatching(/^limit: by returned .*return a string/) },
    ])
  })

  test.each<[string, RecordKey]>([
    ['an attribute', { attribute: 'text' }],
    ['a function', ({ attributes }) => attributes?.['text'] as string],
    ['the message', 'template'],
  ])('a long key of %s is not kept as a whole, and differs from other long keys', (_, by) => {
    const keyOf = keyFunction(by, 'limit')
    const key = (text: string) => keyOf({ body: text, attributes: { text } } as unknown as HandledRecord)!
    expect(key('x'.repeat(50_000)).length).toBeLessThan(100)
    expect(key(`${'x'.repeat(5_000)}1`)).not.toBe(key(`${'x'.repeat(5_000)}2`))
    expect(key('short')).toBe('short')
  })

  test('a record is written if by throws', () => {
    const { log, lines, diagnostics } = open(limit({ first: 1, by: throwing }))
    log.info('a')
    log.info('a')
    expect(lines()).toEqual(['a', 'a'])
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_HANDLER_FAILED'])
    expect(JSON.stringify(diagnostics)).not.toContain('secret')
  })

  test.each(['__proto__', 'constructor', 'toString', ''])('the message %p is a key like any other', (message) => {
    const { log, lines } = open(limit({ first: 1 }))
    log.info(message)
    log.info(message)
    expect(lines()).toEqual([message])
  })

  test('the number of suppressed records is not lost if a kept record has too many attributes', () => {
    const { log, exporter } = createTestLogger({
      handler: limit({ first: 1, thereafter: 2 }),
      limits: { attributes: 3 },
    })
    for (let count = 0; count < 3; count++) log.info('m', { a: 1, b: 2, c: 3, d: 4 })
    expect(exporter.lines()[1]).toContain('"sluice.suppressed":1')
  })

  test('the number of suppressed records is added to attributes that are a Map', () => {
    const { log, captureLines } = open(limit({ first: 1, thereafter: 2 }))
    const lines = captureLines(() => {
      for (let n = 0; n < 3; n++) log.info('m', new Map([['n', n]]))
    })
    expect(lines[1]!.attributes).toEqual({ n: 2, 'sluice.suppressed': 1, 'sluice.suppressed_by': 'limit' })
  })

  test('the number of suppressed records is not lost if the attributes of the kept record throw', () => {
    const { log, lines } = open(limit({ first: 1, thereafter: 2 }))
    log.info('m')
    log.info('m')
    log.info('m', {
      get broken(): number {
        throw new Error('no')
      },
    })
    expect(lines()).toEqual(['m', 'm'])
    log.flushSync()
    expect(lines()).toEqual([['repeated 1 time in 0.0 s: m', 1]])
  })
})

describe('dedupe', () => {
  test('one record of each message is kept in a window, at every level', () => {
    const { log, lines, clock, reasons } = open(dedupe({ windowMillis: 10_000 }))
    for (let count = 0; count < 1_533; count++) log.error('connection to {host} lost', { host: 'db' })
    expect(lines()).toEqual(['connection to db lost'])
    clock.advance(10_000)
    log.error('connection to {host} lost', { host: 'db' })
    expect(lines()).toEqual([
      ['repeated 1,532 times in 10.0 s: connection to {host} lost', 1_532],
      'connection to db lost',
    ])
    expect(reasons()).toEqual({ dedupe: 1_532 })
  })

  test('over maxKeys, the oldest key is forgotten after its summary', () => {
    const { log, lines, clock } = open(dedupe({ maxKeys: 2 }))
    for (const name of ['a', 'a', 'b', 'c', 'b']) {
      log[name === 'b' ? 'warn' : 'info'](name)
      clock.advance(1)
    }
    expect(lines()).toEqual(['a', 'b', ['repeated 1 time in 0.0 s: a', 1], 'c'])
    log.info('a')
    expect(lines()).toEqual([['repeated 1 time in 0.0 s: b', 1], 'a'])
  })

  test('the message in a summary is redacted by the rules of the logger that logged it', () => {
    const { log, exporter } = open(dedupe())
    const child = log.child({}, { redact: { patterns: ['email'] } })
    for (let count = 0; count < 3; count++) child.info('mail to ann@example.com')
    log.flushSync()
    expect(exporter.lines()).toHaveLength(2)
    expect(exporter.text()).not.toContain('ann@')
  })

  test('messages of more than 1,000 characters are different keys, and their summaries do not contain them', () => {
    const { log, lines } = open(dedupe())
    const [one, other] = [`${'x'.repeat(1_000)}1`, `${'x'.repeat(1_000)}2`]
    for (const message of [one, one, other, 'x'.repeat(1_000), 'x'.repeat(1_000)]) log.info(message)
    expect(lines()).toEqual([one, other, 'x'.repeat(1_000)])
    log.flushSync()
    expect(lines()).toEqual([
      ['repeated 1 time in 0.0 s', 1],
      [`repeated 1 time in 0.0 s: ${'x'.repeat(1_000)}`, 1],
    ])
  })

  test('a record that a later handler suppresses does not suppress those that repeat it', () => {
    const { log, lines, clock } = open(compose(dedupe(), budget({ bytesPerSecond: 1_000 })))
    log.info('x'.repeat(2_000))
    log.info('important')
    clock.advance(5_000)
    log.info('important')
    log.info('important')
    log.flushSync()
    expect(
      lines()
        .map((line) => (typeof line === 'string' ? line : line[0]))
        .slice(1),
    ).toEqual(['important', 'repeated 1 time in 0.0 s: important'])
  })

  test('a window in which nothing is suppressed ends too, so that its key is not kept', () => {
    const delays: number[] = []
    const host = { delay: (millis: number) => delays.push(millis), onFlush() {}, now: () => 0, isPassedOn: () => true }
    const handler = dedupe({ windowMillis: 20 })({ handle() {} }, host as unknown as HandlerHost)
    handler.handle({ body: 'one', severity: 9, time: 0 } as HandledRecord)
    handler.handle({ body: 'two', severity: 9, time: 5 } as HandledRecord)
    expect(delays).toEqual([20])
  })
})

describe('budget', () => {
  test('records are kept while there are bytes, and later ones report the suppressed ones', () => {
    const { log, lines, clock, reasons } = open(budget({ bytesPerSecond: 1_000 }))
    for (let count = 0; count < 10; count++) log.info('m')
    // A record of one letter is estimated at 131 bytes.
    expect(lines()).toHaveLength(8)
    clock.advance(500)
    log.info('m')
    expect(lines()).toEqual([['m', 2]])
    expect(reasons()).toEqual({ budget: 2 })
  })

  test('each level has its own bytes, and levels that are not named are not limited', () => {
    const { log, lines } = open(budget({ bytesPerSecond: { debug: 1, info: 1_000 }, burst: { info: 1 } }))
    for (let count = 0; count < 3; count++) {
      log.trace('trace')
      log.debug('debug')
      log.info('info')
      log.warn('warn')
    }
    expect(lines()).toEqual(['trace', 'debug', 'info', 'warn', 'trace', 'warn', 'trace', 'warn'])
  })

  test('the suppressed records are reported at a flush', () => {
    const { log, lines, clock } = open(budget({ bytesPerSecond: 1, keepLevel: 'silent' }))
    for (let count = 0; count < 4; count++) log.error(`error ${count}`)
    clock.advance(2_500)
    log.flushSync()
    expect(lines()).toEqual(['error 0', ['suppressed 3 records in 2.5 s', 3]])
  })

  test('the suppressed records are reported after reportMillis', async () => {
    const { log, lines } = open(budget({ bytesPerSecond: 1, reportMillis: 20 }))
    for (let count = 0; count < 4; count++) log.info('m')
    await setTimeout(60)
    expect(lines()).toEqual(['m', ['suppressed 3 records in 0.0 s', 3]])
  })

  test.each<[string, unknown, number]>([
    ['a Buffer, of which only the length is logged', Buffer.alloc(20_000_000), 50],
    ['a text that is cut', 'x'.repeat(20_000_000), 1],
    ['a Map', new Map([['a', 'x'.repeat(3_000)]]), 4],
    ['a Set', new Set(['x'.repeat(3_000)]), 4],
  ])('the size of %s is about that of its line', (_, value, expected) => {
    const kept = keptOf((log) => log.info('m', { value }))
    expect(kept).toBeGreaterThanOrEqual(expected)
    expect(kept).toBeLessThanOrEqual(expected * 2)
  })

  test('a long text suppresses a level for no longer than its cut line', () => {
    const { log, lines, clock } = open(budget({ bytesPerSecond: 100_000 }))
    log.info('m', { value: 'x'.repeat(20_000_000) })
    clock.advance(3_000)
    log.info('later')
    expect(lines()).toHaveLength(2)
  })

  test('a clock that jumps back and forth adds no bytes', () => {
    const clock = manualClock(0)
    const { log, exporter } = createTestLogger({ handler: budget({ bytesPerSecond: 10_000 }), clock })
    for (let count = 0; count < 1_000; count++) {
      clock.advance(count % 2 === 0 ? 1_000 : -1_000)
      log.info('x'.repeat(1_000))
    }
    expect(exporter.lines().length).toBeLessThan(25)
  })

  test('larger messages, attributes and errors use more bytes', () => {
    const short = keptOf((log) => log.info('m'))
    expect(keptOf((log) => log.info('m'.repeat(1_000)))).toBeLessThan(short / 4)
    expect(keptOf((log) => log.info('m', { list: { text: 'x'.repeat(1_000) } }))).toBeLessThan(short / 4)
    expect(keptOf((log) => log.info('m', new Error('no')))).toBeLessThan(short / 4)
    expect(
      keptOf((log) =>
        log.info('m', {
          get broken(): number {
            throw new Error('no')
          },
        }),
      ),
    ).toBeLessThan(short)
  })
})

describe('clocks that jump', () => {
  test.each([
    ['limit', limit({ first: 1, windowMillis: 1_000 }), 'repeated 1 time in 0.0 s: m'],
    ['dedupe', dedupe({ windowMillis: 1_000 }), 'repeated 1 time in 0.0 s: m'],
  ])('%s starts a new window after the clock has jumped backwards', (_name, handler, summary) => {
    const { log, lines, clock } = open(handler)
    clock.set(3_600_000)
    log.info('m')
    log.info('m')
    clock.set(0)
    log.info('m')
    log.info('m')
    expect(lines()).toEqual(['m', [summary, 1], 'm'])
    clock.advance(1_000)
    log.info('m')
    expect(lines()).toEqual([['repeated 1 time in 1.0 s: m', 1], 'm'])
  })

  test('budget adds no bytes for a jump backwards, and not more than burst for one forwards', () => {
    const { log, lines, clock } = open(budget({ bytesPerSecond: 1_000 }))
    clock.set(3_600_000)
    for (let count = 0; count < 9; count++) log.info('m')
    clock.set(0)
    log.info('m')
    expect(lines()).toHaveLength(8)
    clock.advance(100)
    log.info('m')
    expect(lines()).toEqual([['m', 2]])
    clock.set(7_200_000)
    for (let count = 0; count < 20; count++) log.info('m')
    expect(lines()).toHaveLength(8)
  })
})

describe('compose, route and tee', () => {
  test('composed handlers receive records in the order of the arguments', () => {
    const order: string[] = []
    const noting = (name: string) =>
      eachRecord((record, next) => {
        order.push(name)
        next.handle(record)
      })
    const { log, lines } = open(compose(noting('a'), noting('b')))
    log.info('m')
    expect([order, lines()]).toEqual([['a', 'b'], ['m']])
  })

  test('compose rejects an argument that is not a function', () => {
    expect(() => compose(dedupe(), {} as never)).toThrow(/SLUICE_OPTION_TYPE: compose\.handlers\[1\]|compose\.handlers/)
  })

  test('without handlers, compose passes every record on', () => {
    const { log, lines } = open(compose())
    log.info('m')
    expect(lines()).toEqual(['m'])
  })

  test('a summary passes through the handlers after the one that writes it', () => {
    const marking = eachRecord((record, next) => {
      record.attributes = { ...record.attributes, marked: true }
      next.handle(record)
    })
    const { log, exporter } = open(compose(dedupe(), marking))
    log.info('m')
    log.info('m')
    log.flushSync()
    expect(exporter.lines().map((line) => JSON.parse(line).attributes.marked)).toEqual([true, true])
  })

  test('a record has the number of one handler, and the number of a later one is reported afterwards', () => {
    const handler = compose(limit({ first: 1, thereafter: 2 }), limit({ first: 1, thereafter: 2, by: () => 'all' }))
    const { log, lines } = open(handler)
    for (const message of ['a', 'b', 'a', 'a', 'c', 'd']) log.info(message)
    expect(lines()).toEqual(['a', ['a', 1], ['d', 2]])
    log.flushSync()
    expect(lines()).toEqual([])
  })

  test('a number on a record that a later handler suppresses is reported by another record', () => {
    const { log, exporter } = open(compose(limit({ first: 1, thereafter: 2 }), dedupe()))
    for (let count = 0; count < 7; count++) log.info('m')
    log.flushSync()
    const numbers = exporter.lines().map((line) => {
      const { 'sluice.suppressed': count, 'sluice.suppressed_by': reason } = JSON.parse(line).attributes ?? {}
      return [reason, count]
    })
    expect(numbers).toEqual([
      [undefined, undefined],
      ['limit', 3],
      ['dedupe', 3],
    ])
    expect(log.stats().filteredByReason).toEqual({ limit: 3, dedupe: 3 })
  })

  test('summaries pass later handlers, which would otherwise suppress them as repetitions', () => {
    for (const last of [dedupe(), limit({ first: 1 }), dedupe({ by: () => 'all' }), budget({ bytesPerSecond: 1 })]) {
      const { log, lines } = open(compose(limit({ first: 1 }), last))
      for (let count = 0; count < 3; count++) for (const message of ['a', 'b', 'c']) log.info(message)
      log.flushSync()
      const texts = lines().map((line) => String(line))
      expect(texts.filter((text) => text.startsWith('repeated 2 times'))).toHaveLength(3)
    }
  })

  test('a record that one handler of tee keeps is not counted as suppressed by another one', () => {
    const { log, lines, reasons } = open(tee(dedupe(), dropping('b')))
    for (const message of ['a', 'a', 'a', 'b', 'b', 'b']) log.info(message)
    log.flushSync()
    expect(lines()).toEqual(['a', 'a', 'a', 'b', ['repeated 2 times in 0.0 s: b', 2]])
    expect(reasons()).toEqual({ dedupe: 2 })
  })

  test('a record that one handler of tee drops after it has added a number is written without it by another one', () => {
    const withoutNumbers = eachRecord(
      (record, next) =>
        (record.eventName !== undefined || record.attributes?.['sluice.suppressed'] === undefined) &&
        next.handle(record),
    )
    const limited = compose(limit({ first: 1, thereafter: 2 }), withoutNumbers)
    const unlimited = eachRecord((record, next) => record.attributes?.['n'] !== 2 && next.handle(record))
    const { log, lines } = open(tee(limited, unlimited))
    for (let n = 1; n <= 3; n++) log.info('m {n}', { n })
    expect(lines()).toEqual(['m 1', 'm 3'])
    log.flushSync()
    expect(lines()).toEqual([['repeated 1 time in 0.0 s: m {n}', 1]])
  })

  test('budget and sampleByTrace report the records of each level separately, because exporters have levels', () => {
    const { log, lines } = open(budget({ bytesPerSecond: 1 }))
    for (let count = 0; count < 3; count++) {
      log.debug('debug')
      log.info('info')
    }
    log.flushSync()
    const summary = ['suppressed 2 records in 0.0 s', 2]
    expect(lines()).toEqual(['debug', 'info', summary, summary])
  })

  test('route passes each record to the handler of its key, and others on', () => {
    const handler = route(attribute('route'), { once: dedupe(), none: dropping('m'), unset: undefined as never })
    const { log, lines } = open(handler)
    for (const key of ['once', 'once', 'none', 'unset', '__proto__', 'toString', undefined, {}])
      log.info('m', { route: key })
    expect(lines()).toHaveLength(6)
  })

  test('tee keeps a record once if at least one of its handlers keeps it', () => {
    const { log, lines } = open(tee(dropping('a'), dropping('b'), dropping('a')))
    for (const message of ['a', 'b', 'c']) log.info(message)
    expect(lines()).toEqual(['a', 'b', 'c'])
    const none = open(tee(dropping('a'), dropping('a')))
    none.log.info('a')
    expect([none.lines(), none.reasons()]).toEqual([[], { handler: 1 }])
  })

  test('tee passes a record to the other handlers if one throws, which is reported', () => {
    const broken = eachRecord(throwing)
    const { log, lines, diagnostics } = open(tee(broken, dropping('a')))
    log.info('a')
    log.info('b')
    expect(lines()).toEqual(['a', 'b'])
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_HANDLER_FAILED'])
  })

  test('tee reports the rejection of an asynchronous handler', async () => {
    const rejecting = eachRecord(() => Promise.reject(new Error('no')))
    const { log, lines, diagnostics } = open(tee(rejecting, rejecting, dropping('a')))
    log.info('b')
    await setTimeout(0)
    expect(lines()).toEqual(['b'])
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_HANDLER_FAILED'])
  })

  test('tee handles a record that is logged while another one is passed on', () => {
    const { log, lines } = open(tee(dropping('x'), dropping('x')))
    log.info('outer', { value: { toJSON: () => (log.info('inner'), 1) } })
    expect(lines()).toEqual(['inner', 'outer'])
  })

  test('tee passes on the records that its handlers emit', () => {
    const emitting = eachRecord((record, next, host) => {
      host.emit({ body: 'own' }, next)
      next.handle(record)
    })
    const { log, lines } = open(tee(emitting, dropping('x')))
    log.info('m')
    expect(lines()).toEqual(['own', 'm'])
  })
})

const tokenOf = (record: HandledRecord) => record.attributes?.['token'] as string

describe('secrets of suppressed records', () => {
  test.each([['err.message'], ['error.message'], ['**.message'], ['err.*']])(
    'a summary contains no error message, which the path %s redacts in records',
    (path) => {
      for (const handler of [dedupe(), limit({ first: 1, keepLevel: 'silent' })]) {
        const { log, exporter } = createTestLogger({ handler, redact: [path] })
        for (let count = 0; count < 2; count++) log.error(new Error('password hunter2'))
        log.flushSync()
        expect(exporter.lines()).toHaveLength(2)
        const [, summary = ''] = exporter.lines()
        expect(summary).not.toContain('hunter2')
      }
    },
  )

  test.each([
    [
      'a match across the place where a text would be cut',
      `${'a'.repeat(190)} sk_live_abcdefghijklmnopqrstuvwx`,
      /sk_live_[a-z]{24}/g,
    ],
    ['a match of a whole message', 'pin 1234', /^pin .*$/],
    ['a match at the end of a message', 'the pin is 1234', /1234$/],
  ])('a summary contains no secret of a message that a pattern finds: %s', (_, message, pattern) => {
    const { log, exporter } = createTestLogger({ handler: dedupe(), redact: { patterns: [pattern] } })
    for (let count = 0; count < 2; count++) log.info(message)
    log.flushSync()
    expect(exporter.lines()).toHaveLength(2)
    expect(exporter.text()).not.toMatch(/sk_live|1234/)
  })

  test('the number of suppressed records is not added to a copy of attributes with toJSON, which would contain what it hides', () => {
    class User {
      readonly id = 1
      readonly password = 'canary'
      toJSON() {
        return { id: this.id }
      }
    }
    const own = { id: 1, password: 'canary', toJSON: () => ({ id: 1 }) }
    for (const attributes of [new User(), own]) {
      const { log, exporter } = createTestLogger({ handler: limit({ first: 1, thereafter: 2 }) })
      for (let i = 0; i < 4; i++) log.info(attributes, 'user')
      log.flushSync()
      expect(exporter.text()).not.toContain('canary')
      expect(exporter.text()).toContain('repeated 2 times')
    }
  })

  test('a summary does not contain a key that a function has returned, because it can be redacted in the records', () => {
    for (const handler of [dedupe({ by: tokenOf }), limit({ first: 1, by: tokenOf })]) {
      const { log, exporter } = createTestLogger({ redact: ['token'], handler })
      for (let i = 0; i < 3; i++) log.info('signed in', { token: 'canary' })
      log.flushSync()
      expect(exporter.text()).not.toContain('canary')
      expect(exporter.text()).toContain('suppressed 2 records')
    }
  })

  test('a summary contains the template, and inserts no attributes of its logger', () => {
    const { log, captureLines } = createTestLogger({ attributes: { host: 'web-1' }, handler: dedupe() })
    const lines = captureLines(() => {
      for (let i = 0; i < 3; i++) log.error('connection to {host} lost', { host: 'db' })
      log.flushSync()
    })
    expect(lines.map(({ message }) => message)).toEqual([
      'connection to db lost',
      expect.stringMatching(/^repeated 2 times in \d+\.\d s: connection to \{host\} lost$/),
    ])
  })
})
