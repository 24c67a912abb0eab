import { afterEach, describe, expect, test } from '@jest/globals'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { levelControl, type LevelChange } from '../../src/level-control/level-control.ts'
import type { Logger } from '../../src/logger/types.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import type { Redact } from '../../src/redact/redact.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { capturingExporter, createTestLogger as createLogger, type TestLogger } from '../support/files/test-logger.ts'

const changes: LevelChange[] = []
const control = levelControl()
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** Sets directives until the end of the test. */
function set(directives: string, options?: Parameters<typeof control.set>[1]): LevelChange {
  const change = control.set(directives, options)
  changes.push(change)
  return change
}

/** Returns the least severe level that a logger logs now. */
const enabledLevel = (log: Logger): string => levels.find((level) => log.isLevelEnabled(level)) ?? 'silent'

/** Creates a logger until the end of the test. Changes of levels are written by the first logger that is not shut down. */
const createTestLogger: typeof createLogger = (...options) => {
  const created = createLogger(...options)
  loggers.push(created)
  return created
}
const loggers: Pick<TestLogger, 'log'>[] = []

afterEach(async () => {
  for (const change of changes.splice(0)) change.revert()
  await Promise.all(loggers.splice(0).map(({ log }) => log.shutdown()))
})

describe('directives of levelControl', () => {
  test('override the level set in code, until they are reverted', () => {
    const { log, captureLines } = createTestLogger({ name: 'app', level: 'info' })
    const child = log.child({}, { level: 'error' })
    const { debug } = child
    const change = set('debug')
    const lines = captureLines(() => {
      log.debug('a')
      child.debug('b')
      debug('c')
      log.trace('no')
    })
    expect(lines.map(({ message }) => message)).toEqual(['a', 'b', 'c'])
    change.revert()
    expect(captureLines(() => (log.debug('a'), child.debug('b'), debug('c')))).toEqual([])
    expect([log, child].map(enabledLevel)).toEqual(['info', 'error'])
  })

  test('apply to loggers by name, which child can set', () => {
    const { log } = createTestLogger({ name: 'app', level: 'info' })
    const pool = log.child({}, { name: 'db.pool' })
    const query = pool.child({ a: 1 }).child({}, { name: 'db.query' })
    set('db.*=debug,db.query=warn')
    expect([log, pool, pool.child({ b: 1 }), query].map(enabledLevel)).toEqual(['info', 'debug', 'debug', 'warn'])
  })

  test('of a later call have precedence, and reverting them in any order leaves the others', () => {
    const { log } = createTestLogger({ name: 'app', level: 'info' })
    const first = set('app=debug')
    const second = set('warn')
    const third = set('other=trace,[a=b]=trace')
    expect(enabledLevel(log)).toBe('warn')
    second.revert()
    expect(enabledLevel(log)).toBe('debug')
    second.revert()
    third[Symbol.dispose]()
    expect(enabledLevel(log)).toBe('debug')
    first.revert()
    expect(enabledLevel(log)).toBe('info')
  })

  test('apply while the level set in code changes, which does not change them', () => {
    const { log } = createTestLogger({ level: 'info' })
    const change = set('debug')
    log.level = 'error'
    expect(log.level).toBe('error')
    expect(enabledLevel(log)).toBe('debug')
    change.revert()
    expect(enabledLevel(log)).toBe('error')
  })

  test('apply to events, lazy calls, fatal records and custom levels', () => {
    const { log, captureLines } = createTestLogger({ level: 'silent', levels: { notice: 10 } })
    const placed = defineEvent('order.placed', { level: 'debug' })
    set('notice')
    const lines = captureLines(() => {
      log.notice('notice')
      log.info('no')
      placed(log, {})
      log.fatal('fatal')
    })
    expect(lines.map(({ message }) => message)).toEqual(['notice', 'fatal'])
    set('debug')
    expect(captureLines(() => (placed(log, {}), log.debug(() => 'lazy')))).toHaveLength(2)
  })

  test('raise the level of a logger to silent', () => {
    const { log, captureLines } = createTestLogger({ level: 'trace' })
    set('*=silent')
    expect(captureLines(() => log.fatal('no'))).toEqual([])
    expect(log.stats().emitted).toBe(1) // the record of the change
  })
})

describe('predicates', () => {
  test('are tested with the attributes of the logger and its parents', () => {
    const { log, captureLines } = createTestLogger({ level: 'info', attributes: { region: 'eu' } })
    const acme = log.child({ tenant: 'acme' })
    set('[tenant=acme]=debug,[region=eu,tenant=acme,n=1]=trace')
    const lines = captureLines(() => {
      log.debug('no')
      acme.debug('acme')
      acme.child({ a: 1 }).debug('child')
      acme.trace('no')
      acme.child({ n: 1 }).trace('trace')
      log.child({ tenant: 'other' }).debug('no')
      acme.child({ tenant: 'other' }).debug('no')
      // Attributes of the call are not tested.
      log.debug('no', { tenant: 'acme' })
    })
    expect(lines.map(({ message }) => message)).toEqual(['acme', 'child', 'trace'])
    expect([log, acme].map(enabledLevel)).toEqual(['info', 'debug'])
  })

  test('are tested with the attributes of withContext, which have precedence over those of the logger', () => {
    const { log } = createTestLogger({ level: 'info' })
    const other = log.child({ tenant: 'other' })
    set('[tenant=acme]=debug')
    expect(withContext({ tenant: 'acme' }, () => [log, other].map(enabledLevel))).toEqual(['debug', 'debug'])
    expect(withContext({ tenant: 'acme' }, () => withContext({ a: 1 }, () => enabledLevel(log)))).toBe('debug')
    expect(withContext({ tenant: 'acme' }, () => withContext({ tenant: 'x' }, () => enabledLevel(log)))).toBe('info')
    expect(enabledLevel(log)).toBe('info')
  })

  test('can lower the number of records of one tenant', () => {
    const { log } = createTestLogger({ level: 'debug' })
    set('[tenant=noisy]=error')
    expect([log, log.child({ tenant: 'noisy' })].map(enabledLevel)).toEqual(['debug', 'error'])
  })

  test('are tested with redacted values, so that a directive cannot find out a secret', () => {
    const { log } = createTestLogger({ level: 'info', redact: ['token'] })
    set('[token=secret]=debug')
    expect(enabledLevel(log.child({ token: 'secret' }))).toBe('info')
  })

  test('are tested with the IDs of the current span and the baggage of the context', () => {
    const manager = new AsyncLocalStorageContextManager().enable()
    context.setGlobalContextManager(manager)
    try {
      const { log } = createTestLogger({ level: 'info' })
      const spanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
      const withSpan = trace.setSpanContext(context.active(), spanContext)
      const baggage = propagation.createBaggage({ tenant: { value: 'acme' } })
      const withBaggage = propagation.setBaggage(context.active(), baggage)
      set(`[trace_id=${'a'.repeat(32)}]=debug,[span_id=${'b'.repeat(16)},tenant=x]=trace,[tenant=acme]=warn`)
      expect(context.with(withSpan, () => enabledLevel(log))).toBe('debug')
      expect(context.with(withSpan, () => enabledLevel(log.child({ tenant: 'x' })))).toBe('trace')
      expect(context.with(withBaggage, () => enabledLevel(log))).toBe('warn')
      expect(context.with(withBaggage, () => enabledLevel(log.child({ tenant: 'y' })))).toBe('info')
      // A child with a context of its own has the span and baggage of that context.
      expect([withSpan, withBaggage].map((own) => enabledLevel(log.child({}, { context: own })))).toEqual([
        'debug',
        'warn',
      ])
      expect(enabledLevel(log)).toBe('info')
    } finally {
      context.disable()
    }
  })
})

describe('a time limit', () => {
  test('reverts the directives when it is over', async () => {
    const { log } = createTestLogger({ level: 'info' })
    set('debug', { forMillis: 20 })
    expect(enabledLevel(log)).toBe('debug')
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(enabledLevel(log)).toBe('info')
    expect(control.describe().layers).toEqual([])
  })

  test.each([
    ['debug', 'info'],
    ['*=error', 'info'],
    ['[a=1]=debug', 'info'],
  ])('reverts %j at the next call if the event loop was blocked', (directives, expected) => {
    const { log, captureLines } = createTestLogger({ level: 'info', attributes: { a: 1 } })
    set(directives, { forMillis: 100 })
    const before = enabledLevel(log)
    const end = performance.now() + 110
    while (performance.now() < end);
    expect(before).not.toBe(expected)
    expect(captureLines(() => (log.debug('debug'), log.info('info'))).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^log level directives expired/),
      'info',
    ])
    expect(enabledLevel(log)).toBe(expected)
  })

  test('leaves directives without a limit', async () => {
    const { log } = createTestLogger({ level: 'info' })
    set('warn')
    set('debug', { forMillis: 5 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(enabledLevel(log)).toBe('warn')
  })
})

describe('records of changes', () => {
  test('have the directives, who set them, and what was and is set', () => {
    const { captureLines } = createTestLogger({ name: 'app', level: 'error' })
    createTestLogger()
    let change: LevelChange | undefined
    const lines = captureLines(() => {
      set('warn')
      change = set('db=debug', { forMillis: 60_000, source: 'http', by: 'oncall', remoteAddress: '192.0.2.1' })
      change.revert()
      change.revert()
    })
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatchObject({
      level: 'info',
      message: expect.stringMatching(/^log level directives set by http \(oncall\) until \S+Z: db=debug$/),
      'otel.event.name': 'sluice.level_changed',
      attributes: {
        action: 'set',
        directives: 'db=debug',
        source: 'http',
        by: 'oncall',
        'client.address': '192.0.2.1',
        until: expect.stringMatching(/Z$/),
        from: ['warn'],
        to: ['db=debug', 'warn'],
      },
    })
    expect(lines[2]).toMatchObject({
      message: 'log level directives reverted: db=debug',
      attributes: { action: 'reverted', from: ['db=debug', 'warn'], to: ['warn'] },
    })
  })

  test('are written by the first logger that is not shut down, with its redaction rules', async () => {
    const first = createTestLogger({ redact: { patterns: [{ name: 'acme', pattern: /acme/ }] } })
    const second = createTestLogger()
    set('[tenant=acme]=debug')
    expect(first.exporter.text()).toContain('[tenant=[REDACTED]]=debug')
    expect(first.exporter.text()).not.toContain('acme')
    expect(second.exporter.text()).toBe('')
    await first.log.shutdown()
    set('warn')
    expect(second.exporter.lines()).toHaveLength(1)
    await second.log.shutdown()
    expect(() => set('warn')).not.toThrow()
  })

  test.each<[Redact, string, string]>([
    [['password'], '[password=hunter2]=debug', '[password=[REDACTED]]=debug'],
    [['user.password'], '["user.password"=hunter2]=debug', '[user.password=[REDACTED]]=debug'],
    [['**.password'], '[a.b.password=hunter2]=debug', '[a.b.password=[REDACTED]]=debug'],
    [{ keys: ['Password'] }, 'db.*[ pass-word=hunter2 , t="x y" ] = debug', 'db.*[pass-word=[REDACTED],t="x y"]=debug'],
    [{ paths: ['password'], remove: true }, 'warn,[password=hunter2]=off', 'warn,[password=[REDACTED]]=off'],
    [{ paths: ['password'], censor: () => 7 }, '["password"="hunter2"]=debug', '[password=[REDACTED]]=debug'],
    [{ patterns: [{ name: 'pin', pattern: /^hunter[0-9]$/ }] }, '[a="hunter2"]=debug', '[a=[REDACTED]]=debug'],
    [['headers'], '[request.headers.authorization=hunter2]=debug', '[request.headers.authorization=[REDACTED]]=debug'],
    [['password'], '[user=hunter]=debug', '[user=hunter]=debug'],
  ])('have no values of conditions that the rules %j redact in %s', (redact, directives, expected) => {
    const { exporter } = createTestLogger({ redact })
    set(directives).revert()
    expect(exporter.text()).not.toContain('hunter2')
    expect(exporter.lines().map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { attributes: { directives: expected, from: [], to: [expected] } },
      { message: `log level directives reverted: ${expected}`, attributes: { from: [expected], to: [] } },
    ])
  })

  test('have an accounting: each is emitted and accepted by its logger', () => {
    const { log } = createTestLogger({ level: 'silent' })
    set('warn').revert()
    expect(log.stats().exporters).toMatchObject([{ emitted: 2, accepted: 2, filtered: 0 }])
  })
})

describe('the description of levels', () => {
  test('lists the directives, the newest first, and the levels of the loggers in use', () => {
    const { log } = createTestLogger({ name: 'describe.app', level: 'info' })
    const child = log.child({}, { name: 'describe.db', level: 'warn' })
    set('describe.db=trace', { by: 'me' })
    set('describe.*[tenant=acme]=debug', { forMillis: 60_000 })
    const { layers, loggers } = control.describe()
    expect(layers).toEqual([
      {
        id: expect.any(String),
        directives: 'describe.*[tenant=acme]=debug',
        source: 'code',
        untilMillis: expect.any(Number),
        remainingMillis: expect.any(Number),
      },
      { id: expect.any(String), directives: 'describe.db=trace', source: 'code', by: 'me' },
    ])
    expect(layers[0]!.remainingMillis).toBeLessThanOrEqual(60_000)
    expect(loggers.filter(({ name }) => name.startsWith('describe.'))).toEqual([
      { name: 'describe.app', level: 'info', configuredLevel: 'info', dependsOnRecord: true },
      { name: 'describe.db', level: 'trace', configuredLevel: 'warn', dependsOnRecord: true },
    ])
    expect(child.level).toBe('warn')
  })

  test('has one entry for a name, however many loggers have it', () => {
    const { log } = createTestLogger({ name: 'describe.many' })
    const children = Array.from({ length: 1_000 }, (_, index) => log.child({ index }, { name: 'describe.child' }))
    expect(control.describe().loggers.filter(({ name }) => name === 'describe.child')).toHaveLength(1)
    expect(children).toHaveLength(1_000)
  })
})

const dependsOnRecord = () => control.describe().loggers.find(({ name }) => name === 'depends')!.dependsOnRecord

test('a level does not depend on the record while directives with a time limit and without conditions decide', () => {
  const { log } = createTestLogger({ name: 'depends', level: 'info' })
  set('depends[tenant=acme]=trace')
  expect(dependsOnRecord()).toBe(true)
  const newer = set('depends=debug', { forMillis: 60_000 })
  expect([dependsOnRecord(), enabledLevel(log.child({ tenant: 'acme' }))]).toEqual([false, 'debug'])
  newer.revert()
  expect([dependsOnRecord(), enabledLevel(log.child({ tenant: 'acme' }))]).toEqual([true, 'trace'])
})

test.each([undefined, Infinity])('directives that are set for %s ms do not expire', (forMillis) => {
  const change = set('debug', forMillis === undefined ? {} : { forMillis })
  expect(control.describe().layers).toEqual([{ id: change.id, directives: 'debug', source: 'code' }])
})

describe('invalid input of set', () => {
  test.each<[unknown, unknown, string | RegExp]>([
    ['', undefined, /directives: is empty; write a directive/],
    [' , ', undefined, /is empty/],
    [7, undefined, /directives: must be a string with directives, not a number; write 'info,db\.\*=debug'/],
    [{}, undefined, /not an object/],
    ['db=deb', undefined, /directives at 3: unknown level "deb".*\n {2}db=deb\n {5}\^$/],
    ['info', { forMillis: 0 }, /options\.forMillis/],
    ['info', { forMillis: NaN }, /options\.forMillis/],
    ['info', { forMillis: -Infinity }, /options\.forMillis/],
    ['info', { forMillis: 3.2e13 }, /options\.forMillis: must be at most 100 years; write Infinity for no end/],
    ['info', { forMillis: '10m' }, /options\.forMillis/],
    ['info', { source: 'telnet' }, /options\.source/],
    ['info', { by: 7 }, /options\.by/],
    ['info', { minutes: 10 }, /options\.minutes: unknown option/],
    ['info', 60_000, /\{ forMillis: 600_000 \}/],
  ])('set(%j, %j) throws a ConfigurationError and changes nothing', (directives, options, message) => {
    const { log } = createTestLogger({ level: 'warn' })
    expect(() => control.set(directives as string, options as object)).toThrow(ConfigurationError)
    expect(() => control.set(directives as string, options as object)).toThrow(message)
    expect(enabledLevel(log)).toBe('warn')
    expect(control.describe().layers).toEqual([])
  })
})

describe('the name of a child', () => {
  test('is the instrumentation scope of its records and of those of its children, with the version of the logger', () => {
    const { log, captureLines } = createTestLogger({ name: 'app', version: '1.2.3', attributes: { a: 1 } })
    const db = log.child({ b: 2 }, { name: 'db', messagePrefix: '> ' })
    const lines = captureLines(() => {
      db.info('x')
      db.child({ c: 3 }).info('y')
      db.child({}, { redact: ['b'] }).info('z')
      log.info('w')
    })
    expect(lines.map((line) => [line['otel.scope.name'], line['otel.scope.version'], line.message])).toEqual([
      ['db', '1.2.3', '> x'],
      ['db', '1.2.3', '> y'],
      ['db', '1.2.3', '> z'],
      ['app', '1.2.3', 'w'],
    ])
    expect(lines.map(({ attributes }) => attributes)).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: '[REDACTED]' },
      { a: 1 },
    ])
  })

  test('groups records in OTLP: children of one name share a scope', () => {
    const exporter = capturingExporter(otlpEncoding('http/json'))
    const { log } = createTestLogger({ name: 'app' }, exporter)
    log.child({}, { name: 'db' }).info('a')
    log.child({}, { name: 'db' }).info('b')
    expect(exporter.text().match(/"scope":\{"name":"db"\}/g)).toHaveLength(2)
  })

  test.each<[unknown]>([[''], [7], [null], [{}]])('%j is rejected', (name) => {
    const { log } = createTestLogger()
    expect(() => log.child({}, { name: name as string })).toThrow(/child: name/)
  })
})

const noDirectives = /level: must be the name of a level; write directives in the option level of createLogger/

describe('directives in the option level', () => {
  test('apply to the logger and its children, below those of levelControl', () => {
    const { log } = createTestLogger({ name: 'app', level: 'warn,db.*=debug,[tenant=acme]=trace' as 'warn' })
    const other = createTestLogger({ name: 'db.other', level: 'info' }).log
    const db = log.child({}, { name: 'db.pool', level: 'error' })
    expect([log, db, log.child({ tenant: 'acme' }), other].map(enabledLevel)).toEqual([
      'warn',
      'debug',
      'trace',
      'info',
    ])
    expect(log.level).toBe('warn')
    log.level = 'error'
    expect([log, db].map(enabledLevel)).toEqual(['error', 'debug'])
    set('db.*=fatal')
    expect([log, db].map(enabledLevel)).toEqual(['error', 'fatal'])
  })

  test('without a level that names no logger leave the default level', () => {
    expect(createTestLogger({ name: 'app', level: 'db=debug' as 'info' }).log.level).toBe('info')
  })

  test.each([
    ['info,db=deb', /level at 8: unknown level "deb".*\n {2}info,db=deb\n {10}\^$/],
    ['[a=b', /level at 0: "\[" is not closed/],
    [',', /level: is empty/],
    ['shop:debug', /level: write "=" before the level, as in db=debug/],
  ])('%j is rejected with its position', (level, message) => {
    expect(() => createTestLogger({ level: level as 'info' })).toThrow(message)
  })

  test('are not accepted by the setter of level, by a child and by an exporter', () => {
    const { log } = createTestLogger()
    expect(() => (log.level = 'info,db=debug' as 'info')).toThrow(noDirectives)
    expect(() => log.child({}, { level: 'db:debug' as 'info' })).toThrow(noDirectives)
    const exporter = { ...capturingExporter(otlpEncoding('http/json')), delivery: { level: '[a=b]=info' } }
    expect(() => createTestLogger({}, exporter)).toThrow(noDirectives)
  })
})
