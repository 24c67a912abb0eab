import { describe, expect, test } from '@jest/globals'
import * as defaultLogger from '../../../src/entries/winston.ts'
import { config, Container, createLogger, format } from '../../../src/entries/winston.ts'
import { infoKeeper } from './info-keeper.ts'

describe('winston levels', () => {
  test('the level of a transport overrides the level of its logger, and both can be changed', () => {
    const [quiet, loud] = [infoKeeper({ level: 'error' }), infoKeeper()]
    const log = createLogger({ transports: [quiet.transport, loud.transport] })
    log.info('1')
    log.level = 'debug'
    log.debug('2')
    quiet.transport.level = 'debug'
    log.debug('3')
    expect([quiet.infos.length, loud.infos.length]).toEqual([1, 3])
  })

  test('each level, also a custom one, has a log method and an `is…Enabled` method', () => {
    const keeper = infoKeeper()
    const log = createLogger({ levels: { alarm: 0, note: 1, chat: 2 }, level: 'note', transports: keeper.transport })
    log.alarm('a')
    log.note('b')
    log.chat('c')
    expect(keeper.infos.map(({ level }) => level)).toEqual(['alarm', 'note'])
    expect([log.isAlarmEnabled(), log.isChatEnabled(), log.isLevelEnabled('note'), log.isLevelEnabled('none')]).toEqual(
      [true, false, true, false],
    )
  })

  test('`config` has the levels of syslog and cli', () => {
    const keeper = infoKeeper()
    const log = createLogger({ levels: config.syslog.levels, level: 'debug', transports: keeper.transport })
    log.emerg('a')
    log.notice('b')
    expect(keeper.lines()).toEqual(['{"level":"emerg","message":"a"}', '{"level":"notice","message":"b"}'])
    expect(Object.keys(config.cli.levels)).toContain('prompt')
  })

  test('an unknown level of a transport or an exception handler is rejected', () => {
    const given = { transports: [infoKeeper().transport, infoKeeper({ level: 'http' }).transport] }
    const only = { exceptionHandlers: infoKeeper({ level: 'warn' }).transport }
    expect(createLogger(given).isHttpEnabled()).toBe(true)
    expect(() => createLogger({ ...given, ...only, levels: config.syslog.levels })).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({ code: 'SLUICE_LEVEL_UNKNOWN', path: 'transports[1].level' }),
          expect.objectContaining({ code: 'SLUICE_LEVEL_UNKNOWN', path: 'exceptionHandlers.level' }),
        ],
      }),
    )
  })

  test('a call with an unknown level is reported, and the format does not run for a disabled level', () => {
    const diagnostics: string[] = []
    let formatted = 0
    const log = createLogger({
      format: format((info) => {
        formatted++
        return info
      })(),
      transports: infoKeeper().transport,
      onDiagnostic: ({ code }) => diagnostics.push(code),
    })
    log.debug('not enabled')
    log.log('shout', 'm')
    expect(formatted).toBe(0)
    expect(diagnostics).toEqual(['SLUICE_LEVEL_UNKNOWN'])
  })
})

describe('winston loggers', () => {
  test('log methods return the logger and work when they are called without it', () => {
    const keeper = infoKeeper()
    const log = createLogger({ transports: keeper.transport })
    expect(log.info('a').warn('b').log('error', 'c')).toBe(log)
    const { info } = log
    info('d')
    expect(keeper.infos.map(({ message }) => message)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('children add fields, and a field of a child overrides that of its parent', () => {
    const keeper = infoKeeper()
    const log = createLogger({ transports: keeper.transport })
    log.child({ a: 1, b: 1 }).child({ b: 2 }).info('m', { c: 3 })
    expect(keeper.lines()).toEqual(['{"a":1,"b":2,"c":3,"level":"info","message":"m"}'])
  })

  test('`add`, `remove`, `clear` and `configure` change the transports of a logger', () => {
    const [first, second] = [infoKeeper(), infoKeeper()]
    const diagnostics: string[] = []
    const log = createLogger({ transports: first.transport, onDiagnostic: ({ code }) => diagnostics.push(code) })
    log.add(second.transport).info('both')
    expect(log.transports).toEqual([first.transport, second.transport])
    log.remove(first.transport).info('second')
    expect(log.clear().transports).toEqual([])
    log.info('no transport')
    expect(diagnostics).toEqual(['SLUICE_TRANSPORT_MISSING'])
    log.configure({ level: 'debug', transports: first.transport })
    log.debug('first')
    expect([first.infos.length, second.infos.length]).toEqual([2, 2])
  })

  test('a silent logger writes nothing until `silent` is set to false', () => {
    const keeper = infoKeeper()
    const log = createLogger({ silent: true, transports: keeper.transport })
    log.error('no')
    log.silent = false
    log.error('yes')
    expect(keeper.infos).toHaveLength(1)
  })

  test('`profile` and `startTimer` log the elapsed time', () => {
    const keeper = infoKeeper()
    const log = createLogger({ level: 'debug', transports: keeper.transport })
    log.profile('job')
    log.profile('job', { level: 'debug', message: 'done' })
    log.startTimer().done({ message: 'timed' })
    expect(keeper.infos).toEqual([
      expect.objectContaining({ level: 'debug', message: 'done', durationMs: expect.any(Number) }),
      expect.objectContaining({ level: 'info', message: 'timed', durationMs: expect.any(Number) }),
    ])
  })

  test('a logger emits each info as a `data` event', async () => {
    const keeper = infoKeeper()
    const log = createLogger({ transports: keeper.transport })
    const messages: unknown[] = []
    log.on('data', (info: { message: string }) => messages.push(info.message))
    log.info('m')
    expect(messages).toEqual(['m'])
  })
})

test('a container creates each logger once and removes it when it is closed', () => {
  const container = new Container({ transports: infoKeeper().transport })
  const log = container.get('a', { level: 'debug' })
  expect(container.add('a')).toBe(log)
  expect(log.level).toBe('debug')
  container.close('a')
  expect(container.has('a')).toBe(false)
})

test('the default logger has no transports until they are added', () => {
  const keeper = infoKeeper()
  defaultLogger.add(keeper.transport)
  defaultLogger.info('m', { a: 1 })
  defaultLogger.configure({ level: 'debug', transports: keeper.transport })
  defaultLogger.debug('n')
  defaultLogger.clear()
  expect(keeper.lines()).toEqual(['{"a":1,"level":"info","message":"m"}', '{"level":"debug","message":"n"}'])
})

test('the default logger can handle and unhandle uncaught exceptions after it is reconfigured', () => {
  const keeper = infoKeeper()
  const before = process.listenerCount('uncaughtException')
  defaultLogger.configure({ level: 'info' })
  defaultLogger.exceptions.handle(keeper.transport)
  defaultLogger.rejections.handle(keeper.transport)
  expect(process.listenerCount('uncaughtException')).toBe(before + 1)
  defaultLogger.exceptions.unhandle()
  defaultLogger.rejections.unhandle()
  expect(process.listenerCount('uncaughtException')).toBe(before)
})

test('an Error in the metadata keeps its own members and whether they are enumerable', () => {
  const keeper = infoKeeper()
  const log = createLogger({ transports: keeper.transport })
  const members = { name: 'CardError', type: 'card_error', stacktrace: 'theirs', cause: { code: 7 } }
  log.error('failed', { err: Object.assign(new Error('declined'), members) })
  log.error('failed', { err: new Error('declined', { cause: { code: 7 } }) })
  const [first, second] = keeper.infos.map((info) => info['err'] as Error)
  expect(new Map(Object.entries(first!))).toEqual(new Map(Object.entries(members)))
  expect(first).toMatchObject({ message: 'declined', stack: expect.stringContaining('declined') })
  expect([Object.keys(second!), second!.cause]).toEqual([[], { code: 7 }])
})

test('a long string is written whole unless `limits.stringLength` is set', () => {
  const long = 'y'.repeat(500_000)
  const keeper = infoKeeper()
  const log = createLogger({ transports: keeper.transport })
  log.info(long)
  log.info(long, { o: {} })
  log.info('m', { o: { long } })
  const cut = infoKeeper()
  createLogger({ transports: cut.transport, limits: { stringLength: 10 } }).info(long, { o: {} })
  expect(keeper.lines().map((line) => line.includes(long))).toEqual([true, true, true])
  expect(cut.lines()).toEqual(['{"level":"info","message":"yyyyyyyyyy…[+499990 characters]","o":{}}'])
})

test('an error of a transport that is also an exception handler is emitted once', () => {
  const keeper = infoKeeper()
  const log = createLogger({ transports: keeper.transport, exceptionHandlers: keeper.transport })
  const errors: unknown[] = []
  log.on('error', (error) => errors.push(error))
  keeper.transport.emit('error', new Error('full'))
  expect(errors).toHaveLength(1)
  log.remove(keeper.transport)
  expect(keeper.transport.listenerCount('error')).toBe(0)
  log.exceptions.handle(keeper.transport)
  log.rejections.handle(keeper.transport)
  keeper.transport.emit('error', new Error('full'))
  expect(errors).toHaveLength(2)
  log.close()
})
